import { decodeId } from '@/lib/platform/ids';
import type { ShellProject } from '../shell/shell-data';
import type { PaletteEntry } from './entry';

const FINDABLE = { chn: 'Chain', ses: 'Session', prj: 'Project', rnr: 'Runner' } as const;

/** `12` or `#12` is a chain and a session of the project; a pasted id is what its prefix says. */
export function numberEntries(
  organization: string,
  project: ShellProject | undefined,
  typed: string,
): PaletteEntry[] {
  const text = typed.trim();
  for (const [prefix, name] of Object.entries(FINDABLE)) {
    if (decodeId(prefix as keyof typeof FINDABLE, text) === null) continue;
    return [{ key: text, label: `${name} ${text}`, words: text, act: { kind: 'find', id: text } }];
  }
  const number = /^#?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (!number || !project) return [];
  const root = `/${organization}/projects/${project.slug}`;
  return [
    entry(`Chain #${number}`, text, `${root}/chains/${number}`),
    entry(`Session #${number}`, text, `${root}/sessions/${number}`),
  ];
}

function entry(label: string, words: string, href: string): PaletteEntry {
  return { key: label, label, words, act: { kind: 'go', href } };
}
