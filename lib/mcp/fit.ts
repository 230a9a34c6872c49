/** Keeps results below the size at which clients move them to a file or refuse them. */

/** Of the JSON of one result, in characters. */
export const MAX_RESULT_CHARS = 40_000;

/** What rows of a list may take of it; the rest is for what stands around them. */
export const MAX_ROWS_CHARS = 32_000;

/** To fit, texts are cut to the first length that suffices, and then lists. */
const TEXT_CHARS = [4_000, 2_000, 1_000, 500, 200, 80];
const LIST_ITEMS = [50, 20, 10, 5, 2];

/** Returns the length of a value as JSON, in characters. */
export function sizeOf(value: unknown): number {
  return (JSON.stringify(value) ?? '').length;
}

/**
 * Shortens texts from outside, then lists, until the JSON of the value has at most `maxChars`
 * characters. What fits stays as it is.
 *
 * @throws Error if it doesn't fit even then: a tool has to limit its own fields
 */
export function fit(value: unknown, maxChars = MAX_RESULT_CHARS): unknown {
  if (sizeOf(value) <= maxChars) return value;
  for (const chars of TEXT_CHARS) {
    const shorter = shorten(value, chars, Number.POSITIVE_INFINITY);
    if (sizeOf(shorter) <= maxChars) return shorter;
  }
  for (const items of LIST_ITEMS) {
    const shorter = shorten(value, TEXT_CHARS.at(-1) ?? 0, items);
    if (sizeOf(shorter) <= maxChars) return shorter;
  }
  throw new Error(`A result has ${sizeOf(value)} characters, and can’t be cut to ${maxChars}.`);
}

/** Returns how many of the first rows fit into `maxChars`; at least one. */
export function rowsThatFit(rows: readonly unknown[], maxChars = MAX_ROWS_CHARS): number {
  let left = maxChars;
  const count = rows.findIndex((row) => {
    left -= sizeOf(row) + 1;
    return left < 0;
  });
  return count === -1 ? rows.length : Math.max(1, count);
}

function shorten(value: unknown, chars: number, items: number): unknown {
  if (Array.isArray(value)) return value.slice(0, items).map((each) => shorten(each, chars, items));
  if (typeof value !== 'object' || value === null) return value;
  const { untrusted_text: text, total_chars: total } = value as Record<string, unknown>;
  if (typeof text === 'string' && text.length > chars) {
    const cut = `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
    return { ...value, untrusted_text: cut, total_chars: total ?? text.length };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, shorten(child, chars, items)]),
  );
}
