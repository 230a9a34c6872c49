/** What is made of the settings' entries: documentation, comments of exported files, and forms. */

import { z } from 'zod';
import { checkTargets, serviceTexts } from './check-texts';
import { projectConfigSchema } from './schema';
import { isBelow, SECTIONS, type SettingsSection } from './sections';
import { SETTINGS_REGISTRY, type SettingTexts } from './setting';

interface Setting extends SettingTexts {
  /** Whether it can have no value. */
  isNullable?: boolean;
}

/** Returns the settings of a schema by path. */
function settingsOf(
  schema: z.core.$ZodType,
  path = '',
  isNullable = false,
): [path: string, Setting][] {
  const texts = SETTINGS_REGISTRY.get(schema);
  const own: [string, Setting][] = texts ? [[path, { ...texts, isNullable }]] : [];
  const below = childrenOf(schema).flatMap(([name, child]) =>
    settingsOf(child, [path, name].filter(Boolean).join('.'), schema instanceof z.ZodNullable),
  );
  return [...own, ...below];
}

/** Its parts; those without a name are what it wraps. */
function childrenOf(schema: z.core.$ZodType): [name: string, schema: z.core.$ZodType][] {
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape);
  if (schema instanceof z.ZodArray) return [['', schema.element]];
  if (schema instanceof z.ZodTuple) return schema.def.items.slice(0, 1).map((item) => ['', item]);
  if (schema instanceof z.ZodUnion) return schema.options.map((option) => ['', option]);
  const isWrapper = schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return isWrapper ? [['', schema.unwrap()]] : [];
}

const ENTRIES: Readonly<Record<string, Setting>> = {
  name: {
    label: 'Name',
    hint: 'Display name of the project.',
    doc: 'Display name.',
    control: { kind: 'text' },
  },
  slug: {
    label: 'Short name',
    hint: 'Used in URLs. Links with the old name stop working.',
    doc: 'Its part of URLs; derived from the name if omitted.',
    control: { kind: 'text' },
  },
  ...Object.fromEntries(settingsOf(projectConfigSchema)),
};

/** What forms and differences show, by path; pages hand it to the browser. */
export type ShownSettings = Readonly<Record<string, ShownSetting>>;
export type ShownSetting = Omit<Setting, 'doc' | 'comment'> & { name: string };

export const SHOWN_SETTINGS: ShownSettings = mapped(ENTRIES, ({ doc, comment, ...shown }) => ({
  ...shown,
  name: nameOf(shown),
}));

function nameOf({ label, name, control }: SettingTexts): string {
  const word = name ?? label.slice(0, 1).toLowerCase() + label.slice(1);
  if (control?.kind === 'number' && control.prefix) return `${word} (${control.prefix})`;
  return control?.kind === 'span' ? `${word} (${control.perSecond === 1 ? 's' : 'ms'})` : word;
}

/** Returns the names of the settings in each section, by the section's key: it is found by them. */
export function settingWords(): Record<string, string> {
  const wordsOf = ({ cards = [] }: SettingsSection) => {
    const placed = cards.flatMap(({ settings }) => settings);
    const own = Object.entries(SHOWN_SETTINGS).filter(([path]) =>
      placed.some((setting) => isBelow(path, setting)),
    );
    return [...new Set(own.map(([, { name }]) => name))].join(' ');
  };
  return Object.fromEntries(SECTIONS.map((section) => [section.key, wordsOf(section)]));
}

const SERVICE_TEXTS = serviceTexts();

/** Of the fields of a project in the API, by path. */
export const PROJECT_DOCS: Readonly<Record<string, string>> = present({
  ...mapped(ENTRIES, ({ doc, hint }) => doc ?? hint),
  ...mapped(SERVICE_TEXTS, ({ doc }) => doc),
  'tiers.isolation':
    'Of earlier versions: accepted and ignored. `isolation` belongs to the project.',
});

/** Comments of an exported file, by path: above a key of the top level, behind any other value. */
export const SETTING_COMMENTS: Readonly<Record<string, string>> = present({
  ...mapped(ENTRIES, ({ comment, doc }, path) => comment ?? (path.includes('.') ? null : doc)),
  ...mapped(SERVICE_TEXTS, ({ comment }) => comment),
  name: null,
  slug: null,
  services: wrapped(`What is watched. Targets of checks: ${checkTargets()}.`),
});

function wrapped(text: string): string {
  const plain = text.replaceAll('`', '');
  return plain.replaceAll(/(.{1,100})(?: |$)/g, '$1\n').trim();
}

function mapped<Value, Result>(
  values: Readonly<Record<string, Value>>,
  made: (value: Value, path: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([path, each]) => [path, made(each, path)]));
}

function present(texts: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
