/** Quotes one word for a POSIX shell only where it needs it. */
export function shellQuote(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * An argv as lines to read: the program first, then each flag with its values on a line.
 * `['claude', '-p', '--model', 'opus']` gives `['claude', '-p', '--model opus']`.
 */
export function argvLines(argv: readonly string[]): string[] {
  const lines: string[] = [];
  for (const [index, word] of argv.entries()) {
    const belongsToFlag = index > 1 && !word.startsWith('-') && lines.length > 1;
    if (belongsToFlag) lines[lines.length - 1] += ` ${shellQuote(word)}`;
    else lines.push(shellQuote(word));
  }
  return lines;
}
