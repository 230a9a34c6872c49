/** A search looks for at most this many words, since each is one more comparison a row. */
const MAX_WORDS = 8;

/** Returns the words of a query; every one of them has to be found. */
export function wordsOf(query: string): string[] {
  return query.trim().split(/\s+/).filter(Boolean).slice(0, MAX_WORDS);
}

/** Returns a LIKE pattern that finds the word as it stands: `%`, `_` and `\` lose their meaning. */
export function containing(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

export interface SnippetPart {
  text: string;
  isMatch: boolean;
}

const BEFORE = 40;
const LENGTH = 140;

/** Returns the text around the first word found, on one line, with every found word marked. */
export function snippetOf(text: string, words: readonly string[]): SnippetPart[] {
  const line = text.replace(/\s+/g, ' ').trim();
  const first = matchesIn(line, words)[0]?.from ?? 0;
  const start = first <= BEFORE ? 0 : line.lastIndexOf(' ', first - BEFORE / 2) + 1;
  const from = Math.max(start, first - BEFORE);
  const cut = line.slice(from, from + LENGTH);
  const shown = `${from > 0 ? '…' : ''}${cut}${from + LENGTH < line.length ? '…' : ''}`;
  return marked(shown, matchesIn(shown, words));
}

interface Match {
  from: number;
  to: number;
}

/** Where words stand in a text, in order and without overlaps. */
function matchesIn(text: string, words: readonly string[]): Match[] {
  const alternatives = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (alternatives.length === 0) return [];
  return [...text.matchAll(new RegExp(alternatives.join('|'), 'gi'))].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
  }));
}

function marked(text: string, matches: readonly Match[]): SnippetPart[] {
  const parts: SnippetPart[] = [];
  let at = 0;
  for (const { from, to } of matches) {
    if (from > at) parts.push({ text: text.slice(at, from), isMatch: false });
    parts.push({ text: text.slice(from, to), isMatch: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMatch: false });
  return parts;
}
