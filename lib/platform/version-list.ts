/** Lists of program versions: `2.1.197` names one, `<2.1.330` every earlier one. */

/** The limits of a list; the database holds an organization's to the same. */
export const MAX_LISTED_VERSIONS = 50;

const ENTRY = /^<?\d{1,6}\.\d{1,6}\.\d{1,6}$/;

export function isVersionEntry(entry: string): boolean {
  return ENTRY.test(entry);
}

/**
 * Splits a list as people write it: entries separated by commas, spaces or line breaks. Duplicates
 * are dropped. Check the entries with `isVersionEntry`.
 */
export function splitVersionList(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((entry) => entry !== ''))];
}

/** Returns the first entry that covers a version; null if none does. */
export function findCoveringEntry(version: string, entries: readonly string[]): string | null {
  return entries.find((entry) => covers(entry, version)) ?? null;
}

function covers(entry: string, version: string): boolean {
  if (entry.startsWith('<')) return isEarlier(version, entry.slice(1));
  return numbersOf(entry).join('.') === numbersOf(version).join('.');
}

/** Compares the three numbers; `2.1.330-beta.1` counts as `2.1.330`. */
function isEarlier(version: string, than: string): boolean {
  const [left, right] = [numbersOf(version), numbersOf(than)];
  const index = left.findIndex((number, place) => number !== right[place]);
  return index !== -1 && (left[index] ?? 0) < (right[index] ?? 0);
}

function numbersOf(version: string): number[] {
  const parts = (/\d+(\.\d+){0,2}/.exec(version)?.[0] ?? '').split('.').map(Number);
  return [0, 1, 2].map((place) => parts[place] ?? 0);
}
