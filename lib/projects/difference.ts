import type { Fields } from '@/lib/protocol/checks/check-kind';
import { CHECK_KINDS } from '@/lib/protocol/checks/kinds';
import { shownTarget } from '@/lib/protocol/checks/target';
import type { ShownSettings } from './settings';

/** One changed value of two configurations; `path` as in `tiers.1.model`. */
export interface FieldChange {
  path: string;
  before: unknown;
  after: unknown;
}

/**
 * Returns every leaf that differs, in the order of the first document. Missing values are
 * undefined.
 */
export function changedFields(before: unknown, after: unknown, path = ''): FieldChange[] {
  if (isTree(before) && isTree(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return keys.flatMap((key) =>
      changedFields(before[key], after[key], path ? `${path}.${key}` : key),
    );
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Returns the path of the setting that a value belongs to: `tiers.1.maxTurns` is of `tiers.maxTurns`. */
export function settingPath(path: string): string {
  return path.replaceAll(/\.\d+(?=\.|$)/g, '');
}

/** Returns the label of a configuration path: `tiers.1.maxTurns` is `Tier 2 · max turns`. */
export function fieldLabel(settings: ShownSettings, path: string): string {
  const parts = path.split('.');
  const words = parts.flatMap((part, index) => {
    if (part === 'tiers' && index === 0 && parts.length > 1) return [];
    if (/^\d+$/.test(part)) {
      return [parts[index - 1] === 'tiers' ? `tier ${Number(part) + 1}` : `${Number(part) + 1}`];
    }
    const own = settings[settingPath(parts.slice(0, index + 1).join('.'))];
    return [own?.name ?? checkFieldName(part) ?? part];
  });
  const text = words.join(' · ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

const OF_EVERY_CHECK: Readonly<Record<string, string>> = {
  everySeconds: 'interval (s)',
  timeoutSeconds: 'time limit (s)',
  oneOf: 'one of',
  atLeast: 'at least',
  atMost: 'at most',
};

/** Returns the name of a field of checks; undefined for another field. */
function checkFieldName(name: string): string | undefined {
  const all: Fields[] = Object.values(CHECK_KINDS).map(({ fields }) => fields);
  const field = all.find((fields) => Object.hasOwn(fields, name))?.[name];
  if (!field) return OF_EVERY_CHECK[name];
  return field.name ?? field.label.slice(0, 1).toLowerCase() + field.label.slice(1);
}

/** Returns a configuration value as one short line. */
export function fieldValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return value === '' ? 'empty' : shownTarget(value);
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
