/** Versions of programs. In a list, `2.1.197` names one and `<2.1.330` every earlier one. */

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
  return entry.startsWith('<')
    ? compareVersions(version, entry.slice(1)) < 0
    : compareVersions(version, entry) === 0;
}

/**
 * Returns less than 0 if `a` is older, and 0 if they are equal. Compares the three numbers:
 * `2.1.330-beta.1` counts as `2.1.330`.
 */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const differences = left.map((number, place) => number - (right[place] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function numbersOf(version: string): number[] {
  const parts = (/\d+(\.\d+){0,2}/.exec(version)?.[0] ?? '').split('.').map(Number);
  return [0, 1, 2].map((place) => parts[place] ?? 0);
}
