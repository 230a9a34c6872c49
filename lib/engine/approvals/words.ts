import { z } from 'zod';

const argvSchema = z.array(z.string());

/** Returns the stored argv of a command; null for the start of a tier. */
export function storedArgv(argv: unknown): string[] | null {
  return argvSchema.nullable().parse(argv ?? null);
}

const PLAIN = /^[\w@%+=:,./-]+$/;

/** An argv as a shell would need it, so that where an argument ends can be seen. */
export function shellLine(argv: readonly string[]): string {
  const quoted = (word: string) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return argv.map(quoted).join(' ');
}

const MAX_TITLE = 200;

/** What is decided about, as the subject of a sentence. */
export function approvalTitle({ tier, argv }: { tier: number; argv: unknown }): string {
  const words = storedArgv(argv);
  if (words === null) return `The start of tier ${tier}`;
  const line = shellLine(words);
  return `\`${line.length > MAX_TITLE ? `${line.slice(0, MAX_TITLE)}…` : line}\``;
}
