const TITLE_CHARS = 80;

/** The beginning of the first message, on one line. */
export function titleOf(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  if (line.length <= TITLE_CHARS) return line;
  return `${line
    .slice(0, TITLE_CHARS - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
