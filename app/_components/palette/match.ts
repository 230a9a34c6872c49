import { defaultFilter } from 'cmdk';
import type { PaletteEntry } from './entry';

/** Where a typed word stands in an entry, from the beginning of its name down to within other words. */
const WORTH = { wholeWord: 1, nameStart: 0.95, wordStart: 0.9, inName: 0.6, inWord: 0.5 };
/** For letters that merely follow on each other somewhere: below any word that is there. */
const LOOSE = 0.1;

/**
 * The groups with what fits, the best first; those of nothing typed are as they were. Letters that
 * merely follow on each other count only where no word is found anywhere.
 */
export function bestFirst<Group extends { entries: readonly PaletteEntry[] }>(
  groups: readonly Group[],
  typed: string,
): Group[] {
  if (typed.trim() === '') return [...groups];
  const ranked = groups.map((group) => ({
    group,
    found: group.entries.map((entry) => ({
      entry,
      worth: matchOf(typed, entry.label, entry.words ?? ''),
    })),
  }));
  const best = Math.max(0, ...ranked.flatMap(({ found }) => found.map(({ worth }) => worth)));
  const least = best > LOOSE ? LOOSE : 0;
  return ranked
    .map(({ group, found }) => {
      const fitting = found
        .filter(({ worth }) => worth > least)
        .toSorted((one, other) => other.worth - one.worth);
      const entries = fitting.map(({ entry }) => entry);
      return { worth: fitting[0]?.worth ?? 0, group: { ...group, entries } };
    })
    .filter(({ worth }) => worth > 0)
    .toSorted((one, other) => other.worth - one.worth)
    .map(({ group }) => group);
}

/** How well an entry fits what was typed, from 0 to 1. Every typed word has to be there. */
function matchOf(typed: string, name: string, words: string): number {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return 1;
  const found = wanted.map((word) => worthOf(word, name.toLowerCase(), words.toLowerCase()));
  const least = Math.min(...found);
  return least > 0 ? least : LOOSE * defaultFilter(name, typed, [words]);
}

function worthOf(word: string, name: string, words: string): number {
  if (wordsOf(name).includes(word)) return WORTH.wholeWord;
  if (wordsOf(name).some((each) => each.startsWith(word))) return WORTH.nameStart;
  if (wordsOf(words).some((each) => each.startsWith(word))) return WORTH.wordStart;
  if (name.includes(word)) return WORTH.inName;
  return words.includes(word) ? WORTH.inWord : 0;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
