/**
 * Compares a command with rules that deny or ask first. In doubt they match: denying or asking too
 * often is safer than too rarely.
 */
import type { CommandForm, FormOption } from './spelling';

/**
 * Whether a command has the rule's operands in order, with others between or after them, and the
 * rule's options anywhere.
 */
export function isMeant(rule: CommandForm, command: CommandForm): boolean {
  return (
    rule.program === command.program &&
    containsInOrder(command.operands, rule.operands) &&
    rule.options.every((option) => isGiven(option, rule, command))
  );
}

/**
 * Whether the rule is about the command's verb. An open rule allows the verb's operands in every
 * spelling, and programs read some as the same: `deployment web`, `deployment/web`, `deploy web`.
 */
export function isOfSameVerb(rule: CommandForm, command: CommandForm): boolean {
  if (rule.program !== command.program || !command.entry) return false;
  if (rule.verb && command.verb) return rule.verb === command.verb;
  if (rule.operands.length === 0 && rule.options.length > 0) {
    return rule.options.every((option) => isNamed(option, rule, command));
  }
  // The verb of one is behind an option or a placeholder, or isn't in the catalog.
  if (command.verb) return rule.isFirstUnsure || containsInOrder(rule.operands, command.verb.words);
  if (rule.isFirstUnsure || command.isFirstUnsure) return true;
  const [first = '', other = ''] = [firstWord(rule), firstWord(command)];
  return first === null || other === null || first === other;
}

/** Whether the catalog knows all options of the command. */
export function hasKnownOptions({ options }: CommandForm): boolean {
  return options.every(({ known }) => known !== null);
}

/** Whether two commands that differ in words like this one's are about different things. */
export function isComparable({ entry, operands, options }: CommandForm): boolean {
  const isPlain = (operand: string | null) =>
    operand !== null && entry?.isPlain?.(operand) === true;
  return operands.every(isPlain) && options.every((option) => hasPlainValue(option, entry));
}

export function hasPlainValue({ known, values }: FormOption, entry: CommandForm['entry']): boolean {
  if (known === null) return false;
  const kinds = known.value?.map((part) => ('placeholder' in part ? part.placeholder.kind : null));
  if (kinds?.includes('path')) return false;
  if (kinds?.includes('int')) return values.some((value) => /^(0|[1-9]\d*)$/.test(value));
  return values.every((value) => entry?.isPlain?.(value) === true);
}

/** Null in `words` matches any word, on both sides. */
export function containsInOrder(
  all: readonly (string | null)[],
  words: readonly (string | null)[],
): boolean {
  let at = 0;
  for (const word of all) {
    const wanted = words[at];
    if (at < words.length && (wanted === null || word === null || wanted === word)) at += 1;
  }
  return at === words.length;
}

function firstWord({ entry, operands }: CommandForm): string | null | undefined {
  const [first, second] = operands;
  return first === entry?.optionalWord && second !== undefined ? second : first;
}

function isGiven(option: FormOption, rule: CommandForm, command: CommandForm): boolean {
  const { given, values, isUnsure } = option;
  const fits = (other: FormOption) =>
    values.length === 0 || values.some((value) => other.values.includes(value));
  const same = command.options.filter((other) => isSame(option, rule, other, command));
  if (same.some((other) => fits(other) || (isUnsure && contains(command, values)))) return true;
  if (option.known || !/^-[^-]./s.test(given)) return false;
  // Joined: several options, or one with its value.
  const named = (name: string) => command.options.filter((other) => namesOf(other).includes(name));
  const joined = [given.slice(2), `${given.slice(2)}=${values[0]}`];
  return (
    [...given.slice(1)].every((letter) => named(`-${letter}`).length > 0) ||
    named(given.slice(0, 2)).some((other) => joined.some((value) => other.values.includes(value)))
  );
}

function isNamed(option: FormOption, rule: CommandForm, command: CommandForm): boolean {
  return command.options.some((other) => isSame(option, rule, other, command));
}

/** Verbs may give one name to several options, so names decide only where a verb is unknown. */
function isSame(
  option: FormOption,
  rule: CommandForm,
  other: FormOption,
  command: CommandForm,
): boolean {
  if (
    option.known &&
    other.known &&
    (option.known === other.known || (rule.verb && command.verb))
  ) {
    return option.known.names.at(-1) === other.known.names.at(-1);
  }
  const names = namesOf(other);
  return namesOf(option).some((name) => names.includes(name));
}

function namesOf({ given, known }: FormOption): readonly string[] {
  return known?.names ?? [given];
}

function contains({ operands, options }: CommandForm, values: readonly string[]): boolean {
  return values.some(
    (value) => operands.includes(value) || options.some((option) => option.values.includes(value)),
  );
}
