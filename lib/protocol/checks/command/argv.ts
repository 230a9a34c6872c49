export type ParsedArgv = { ok: true; argv: string[] } | { ok: false; problem: string };

/** What a shell would act on. Quoted, it is text. */
const SHELL_CHARACTERS = /[|&;<>()$`*?[\]{}~#!]/;

/**
 * Splits the target of a command check into its program and arguments: words between spaces, with quotes
 * and backslashes as in a shell, and nothing else of a shell. `problem` is a sentence.
 */
export function parseArgv(text: string): ParsedArgv {
  const argv: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    at += 1;
    if (/\s/.test(char)) {
      if (word !== null) argv.push(word);
      word = null;
    } else if (char === "'" || char === '"') {
      const quoted = readQuoted(text, at, char);
      if (!quoted) return { ok: false, problem: `A ${char} is never closed.` };
      word = (word ?? '') + quoted.text;
      at = quoted.end;
    } else if (char === '\\') {
      if (at === text.length) return { ok: false, problem: 'Nothing follows the last backslash.' };
      word = (word ?? '') + text[at];
      at += 1;
    } else if (SHELL_CHARACTERS.test(char)) {
      const problem = `The command runs without a shell, so ${char} can’t do anything. Put it in quotes if an argument contains it.`;
      return { ok: false, problem };
    } else {
      word = (word ?? '') + char;
    }
  }
  if (word !== null) argv.push(word);
  const [program] = argv;
  if (program === undefined) return { ok: false, problem: 'Enter a program with its arguments.' };
  if (!/^[A-Za-z0-9_][\w.+-]*$/.test(program)) {
    return { ok: false, problem: 'Begin with the name of a program, without a path.' };
  }
  if (argv.some((arg) => arg.includes('\0'))) {
    return { ok: false, problem: 'An argument contains a NUL character.' };
  }
  return { ok: true, argv };
}

/** In double quotes, a backslash keeps `"` and itself from acting. */
function readQuoted(text: string, from: number, quote: string) {
  let quoted = '';
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? '';
    const next = text[at + 1];
    if (char === quote) return { text: quoted, end: at + 1 };
    if (quote === '"' && char === '\\' && (next === '"' || next === '\\')) {
      quoted += next;
      at += 1;
    } else quoted += char;
  }
  return null;
}
