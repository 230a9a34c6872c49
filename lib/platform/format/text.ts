/** At most so many characters, with `…` where something was left out; never half a character. */
export function cutText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  return `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Text as PostgreSQL can hold it: no NUL, and no half of a surrogate pair. Each becomes U+FFFD. */
export function sanitizeForPostgres(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD');
}

/** The same for everything in JSON-like data, keys included. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return sanitizeForPostgres(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [sanitizeForPostgres(key), storable(child)]),
  );
}

const ESCAPED = /\\u(?:0000|d[89a-f])/i;

/** JSON text as such a value. In UTF-8 what cannot be held is escaped, so most texts need no look. */
export function parseStorable(json: string): unknown {
  const value: unknown = JSON.parse(json);
  return ESCAPED.test(json) ? storable(value) : value;
}
