/** A part of the manual as the search index holds it. */
export interface IndexedSection {
  page: string;
  /** Null: the beginning of the page. */
  heading: string | null;
  href: string;
  text: string;
}

export interface FoundSection extends IndexedSection {
  /** Words around the first match, or the beginning of the text. */
  excerpt: string;
}

const MAX_FOUND = 12;
const EXCERPT_CHARACTERS = 120;

/**
 * Returns the sections that contain every word of a query at the beginning of one of their words,
 * best first: a match in a heading counts more than one in a page's title, and that more than text.
 */
export function searchSections(sections: readonly IndexedSection[], query: string): FoundSection[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return sections
    .map((section, order) => ({ section, order, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .slice(0, MAX_FOUND)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

function scoreOf({ page, heading, text }: IndexedSection, words: readonly string[]): number {
  let score = 0;
  for (const word of words) {
    const best = Math.max(
      weightOf(heading ?? page, word, heading === null ? 12 : 10),
      weightOf(page, word, 4),
      weightOf(text, word, 1),
    );
    if (best === 0) return 0;
    score += best;
  }
  return score;
}

function weightOf(text: string, word: string, weight: number): number {
  const at = positionOf(text.toLowerCase(), word);
  return at < 0 ? 0 : weight;
}

/** Returns where a word of the text begins with `word`; -1 where none does. */
function positionOf(text: string, word: string): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '') || !/^[\p{L}\p{N}]/u.test(word)) {
      return at;
    }
  }
  return -1;
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = words.map((word) => positionOf(lower, word)).find((at) => at >= 0) ?? 0;
  const from = first < 40 ? 0 : text.indexOf(' ', first - 40) + 1;
  const cut = text.slice(from, from + EXCERPT_CHARACTERS);
  return `${from > 0 ? '…' : ''}${cut}${from + EXCERPT_CHARACTERS < text.length ? '…' : ''}`;
}
