import { z } from 'zod';

const argvSchema = z.array(z.string());

/** Returns the stored argv of a command; null for the start of a tier. */
export function storedArgv(argv: unknown): string[] | null {
  return argvSchema.nullable().parse(argv ?? null);
}

const PLAIN = /^[\w@%+=:,./-]+$/;

const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * An argv as a shell would need it, on one line, so that where an argument ends can be seen and none of
 * them can look like another line.
 */
export function shellLine(argv: readonly string[]): string {
  return argv.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (PLAIN.test(word)) return word;
  if (!CONTROL.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = word
    .replaceAll(/[\\']/g, (character) => `\\${character}`)
    .replaceAll(new RegExp(CONTROL, 'g'), (character) => ESCAPES[character] ?? hex(character));
  return `$'${escaped}'`;
}

const ESCAPES: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function hex(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const MAX_TITLE = 200;

/** What is decided about, as the subject of a sentence. */
export function approvalTitle({ tier, argv }: { tier: number; argv: unknown }): string {
  const words = storedArgv(argv);
  if (words === null) return `The start of tier ${tier}`;
  const line = shellLine(words);
  return `\`${line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line}\``;
}
