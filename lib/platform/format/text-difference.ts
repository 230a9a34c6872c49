import { diffArrays, diffWordsWithSpace } from 'diff';

export interface DiffWords {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** A line as a whole, or one whose words differ in part. */
export type DiffLine = DiffWords | { kind: 'changed'; words: DiffWords[] };

/** Below this share of common letters two lines are two lines, not one that was changed. */
const MIN_IN_COMMON = 0.4;
/**
 * Texts with more differing lines have too little in common, and the search takes quadratic time.
 */
const MAX_LINES_CHANGED = 4_000;
const MAX_WORDS_CHANGED = 400;
/** How many added lines may stand before the one that a removed line became. */
const LOOK_AHEAD = 5;

/** What turns one text into the other: line by line, and word by word where a line was changed. */
export function textDifference(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const runs = diffArrays(old, fresh, { maxEditLength: MAX_LINES_CHANGED });
  if (!runs) return [...all('removed', { value: old }), ...all('added', { value: fresh })];
  return runs.flatMap((run, index): DiffLine[] => {
    const previous = runs[index - 1];
    const next = runs[index + 1];
    if (run.removed) return next?.added ? changedLines(run.value, next.value) : all('removed', run);
    if (run.added) return previous?.removed ? [] : all('added', run);
    return all('same', run);
  });
}

function all(kind: DiffWords['kind'], { value }: { value: readonly string[] }): DiffLine[] {
  return value.map((text) => ({ kind, text }));
}

/** Lines in place of others: each removed one beside the first that it may have become. */
function changedLines(removed: readonly string[], added: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let at = 0;
  for (const text of removed) {
    const ahead = added.slice(at, at + LOOK_AHEAD).map((line) => changedWords(text, line));
    const found = ahead.findIndex((words) => words !== null);
    const words = ahead[found];
    if (words) {
      lines.push(...all('added', { value: added.slice(at, at + found) }));
      lines.push({ kind: 'changed', words });
      at += found + 1;
    } else {
      lines.push({ kind: 'removed', text });
    }
  }
  return [...lines, ...all('added', { value: added.slice(at) })];
}

/** Null for lines that have too little in common to be read as one. */
function changedWords(before: string, after: string): DiffWords[] | null {
  const found = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORDS_CHANGED });
  const words = (found ?? []).map(
    ({ removed, added, value }): DiffWords => ({
      kind: removed ? 'removed' : added ? 'added' : 'same',
      text: value,
    }),
  );
  const kept = words.filter(({ kind }) => kind === 'same');
  const letters = (text: string) => text.replace(/\s/g, '').length;
  const common = kept.reduce((sum, { text }) => sum + letters(text), 0);
  const share = (2 * common) / Math.max(1, letters(before) + letters(after));
  return share >= MIN_IN_COMMON ? words : null;
}
