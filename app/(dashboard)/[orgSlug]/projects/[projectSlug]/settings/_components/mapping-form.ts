/** The mapping of an alert source as a form: texts, lists with commas, names by line. Pure. */

import type { Mapping } from '@/lib/signals/source-schema';

export const MAPPING_PATHS = [
  ['status', 'Status', 'event.state'],
  ['title', 'Title', 'event.name'],
  ['fingerprint', 'What identifies the alert', 'event.id'],
  ['service', 'Service', 'host.name'],
  ['severity', 'Severity', 'event.severity'],
  ['startedAt', 'Start', 'event.started'],
  ['link', 'Link', 'event.url'],
  ['alerts', 'List of alerts, if there are several', 'events'],
] as const satisfies readonly (readonly [keyof Mapping, string, string])[];

export interface MappingForm {
  paths: Partial<Record<(typeof MAPPING_PATHS)[number][0], string>>;
  firingValues: string;
  resolvedValues: string;
  /** `name in the source = service`, one a line. */
  serviceNames: string;
}

export function formOf(mapping: Mapping): MappingForm {
  return {
    paths: Object.fromEntries(MAPPING_PATHS.map(([key]) => [key, mapping[key] ?? ''])),
    firingValues: (mapping.firingValues ?? []).join(', '),
    resolvedValues: (mapping.resolvedValues ?? []).join(', '),
    serviceNames: Object.entries(mapping.serviceNames ?? {})
      .map(([text, name]) => `${text} = ${name}`)
      .join('\n'),
  };
}

/** What is left empty is looked up under the usual names. */
export function mappingOf(form: MappingForm): Mapping {
  const paths = Object.entries(form.paths).flatMap(([key, path]) => {
    const text = path?.trim() ?? '';
    return text === '' ? [] : [[key, text]];
  });
  const names = form.serviceNames.split('\n').flatMap((line) => {
    const at = line.lastIndexOf('=');
    const [text, name] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    return at < 0 || text === '' || name === '' ? [] : [[text, name]];
  });
  const [firing, resolved] = [valuesOf(form.firingValues), valuesOf(form.resolvedValues)];
  return {
    ...Object.fromEntries(paths),
    ...(firing.length > 0 ? { firingValues: firing } : {}),
    ...(resolved.length > 0 ? { resolvedValues: resolved } : {}),
    ...(names.length > 0 ? { serviceNames: Object.fromEntries(names) } : {}),
  };
}

function valuesOf(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
