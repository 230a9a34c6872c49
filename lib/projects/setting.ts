/**
 * The entry of one project setting: its schema together with everything that is said about it. Form,
 * differences, exported files and the API's documentation are made from it: see `settings.ts`.
 */

import { z } from 'zod';
import { formatCount } from '@/lib/platform/format/count';
import { formatSpan } from '@/lib/platform/format/duration';

export interface Choice {
  value: string | number;
  label: string;
  /** What it does, shown while it is chosen. */
  meaning?: string;
}

export type Control =
  /** `suggests`: what the page knows about the installation. */
  | { kind: 'text'; placeholder?: string; isCode?: boolean; suggests?: 'models' | 'pools' }
  | { kind: 'long-text'; maxLength: number }
  | { kind: 'time-zone' }
  | { kind: 'agent' }
  | { kind: 'number'; placeholder?: string; prefix?: string }
  /** A time as people write it. `toggle`: a switch, off for null, that begins with a value. */
  | { kind: 'span'; perSecond: 1 | 1_000; toggle?: { label: string; hint: string; value: number } }
  | { kind: 'switch' }
  | { kind: 'choice'; choices: readonly Choice[] }
  | { kind: 'select'; choices: readonly Choice[] }
  | { kind: 'tiers' }
  | { kind: 'rules'; placeholder: string }
  /** Rows, with their fields one beside the other; the page knows what a new one holds. */
  | { kind: 'list'; add: string; row: string; most?: number }
  /** A component of the page, by the setting's path. */
  | { kind: 'custom' };

export interface SettingTexts {
  label: string;
  /** In differences, where the label says too little; the label if absent. */
  name?: string;
  hint?: string;
  /** In the API's documentation; the hint if absent. */
  doc?: string;
  /** In an exported file; its unit if absent, or `doc` for a setting of the top level. */
  comment?: string;
  /** Absent: another setting's control edits it. */
  control?: Control;
  /** The path of a setting; while that is null, this one isn't shown. */
  shownWith?: string;
}

export const SETTINGS_REGISTRY = z.registry<SettingTexts>();

/** Returns a copy of the schema that has these texts, so that one schema can serve several settings. */
export function setting<Schema extends z.ZodType>(schema: Schema, texts: SettingTexts): Schema {
  const own = schema.clone();
  SETTINGS_REGISTRY.add(own, texts);
  return own;
}

export const ENTER_A_SPAN = 'Enter a time, such as 10m or 1h 30m.';

/** A time in whole seconds, both limits included. */
export function seconds(least: number, most: number, texts: SettingTexts) {
  return span(least, most, 1, texts);
}

/** A time in whole milliseconds; its limits are seconds. */
export function milliseconds(least: number, most: number, texts: SettingTexts) {
  return span(least, most, 1_000, texts);
}

function span(least: number, most: number, perSecond: 1 | 1_000, texts: SettingTexts) {
  const range = `Enter a time of ${formatSpan(least)} to ${formatSpan(most)}.`;
  return setting(whole(least * perSecond, most * perSecond, range), {
    control: { kind: 'span', perSecond },
    comment: perSecond === 1 ? 'seconds' : 'milliseconds',
    ...texts,
  });
}

/** A whole number, both limits included. `Enter 1 to 90 days.` */
export function count(least: number, most: number, unit: string, texts: SettingTexts) {
  const range = `Enter ${formatCount(least)} to ${formatCount(most)}${unit && ` ${unit}`}.`;
  return setting(whole(least, most, range), { control: { kind: 'number' }, ...texts });
}

export function whole(least: number, most: number, range: string) {
  return z.number(range).int(range).min(least, range).max(most, range);
}

/** US dollars; null: no limit. */
export function usd(texts: SettingTexts, most?: number) {
  const amount = z
    .number('Enter an amount in dollars.')
    .positive('A budget must be more than $0. Leave it empty for no limit.');
  const limited =
    most === undefined ? amount : amount.max(most, `Enter at most $${formatCount(most)}.`);
  return setting(limited, {
    control: { kind: 'number', prefix: '$', placeholder: 'none' },
    comment: 'US dollars; null: no limit',
    ...texts,
  }).nullable();
}

export function flag(texts: SettingTexts) {
  return setting(z.boolean(), { control: { kind: 'switch' }, ...texts });
}

/** One of a few texts. */
export function choice<const Values extends readonly [Text, ...Text[]]>(
  choices: Values,
  texts: SettingTexts,
) {
  const values = choices.map(({ value }) => value) as readonly Values[number]['value'][];
  return setting(z.enum(values), { control: { kind: 'choice', choices }, ...texts });
}

type Text = Choice & { value: string };

export function text(schema: z.ZodString, texts: SettingTexts) {
  return setting(schema, { control: { kind: 'text' }, ...texts });
}
