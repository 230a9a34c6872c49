import { MAX_TITLE_CHARS } from './limits';

/** The beginning of the first message, on one line. */
export function titleOf(message: string): string {
  const line = message.trim().replace(/\s+/g, ' ');
  if (line.length <= MAX_TITLE_CHARS) return line;
  return `${line
    .slice(0, MAX_TITLE_CHARS - 1)
    .toWellFormed()
    .trimEnd()}…`;
}
