/** Compares arguments that programs read as the same, however they are spelled. */
import type { ProgramEntry } from './catalog/entry';
import { takesValue } from './match';

/**
 * Returns arguments in the one spelling by which rules are compared: `--name=value` and `-nvalue` as two
 * arguments, options by one of their names, and operands as the catalog spells them.
 *
 * @param words null stands for a placeholder
 */
export function plainSpelling(
  program: ProgramEntry | null,
  words: readonly (string | null)[],
): (string | null)[] {
  const operand = (word: string) => program?.spell?.(word) ?? [word];
  return words.flatMap((word): readonly (string | null)[] => {
    if (word === null) return [null];
    if (!word.startsWith('-')) return operand(word);
    const { name, value } = optionIn(program, word);
    return value === null
      ? [firstName(program, name)]
      : [firstName(program, name), ...operand(value)];
  });
}

/**
 * Whether the catalog knows every spelling of these arguments: then two that differ are about different
 * things.
 */
export function areComparable(program: ProgramEntry | null, args: readonly string[]): boolean {
  return args.every((arg) => arg.startsWith('-') || program?.isPlain?.(arg) === true);
}

function optionIn(
  program: ProgramEntry | null,
  word: string,
): { name: string; value: string | null } {
  const [, long, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  if (long !== undefined) return { name: long, value: value ?? '' };
  const [, short, rest] = /^(-[A-Za-z0-9])(.+)$/s.exec(word) ?? [];
  const isJoined = short !== undefined && program !== null && takesValue(program, short);
  return isJoined ? { name: short, value: rest ?? '' } : { name: word, value: null };
}

/** Verbs may give one name to several options: those compare as the same. */
function firstName(program: ProgramEntry | null, name: string): string {
  const options = program?.verbs.flatMap((verb) => verb.options) ?? [];
  return options.find(({ names }) => names.includes(name))?.names[0] ?? name;
}
