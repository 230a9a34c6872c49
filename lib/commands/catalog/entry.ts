import type { OptionRule } from '../rule';
import { type Placeholder, parsePlaceholder } from '../values';

export interface GivenOption {
  /** As it was given: `-n`, `--tail`. */
  option: string;
  /** Null where it takes none. */
  value: string | null;
}

/** Actions that a project can limit by cooldowns. */
export const COOLDOWN_ACTIONS = ['restart', 'redeploy'] as const;
export type CooldownActionName = (typeof COOLDOWN_ACTIONS)[number];

/** What a command counts as for cooldowns. */
export interface Cooldown {
  action: CooldownActionName;
  /** An option with which it redeploys. */
  redeploysWith?: { option: RegExp; example: string };
  /**
   * Returns the words that may name what it is done to, none for everything; null if these arguments
   * count as nothing. Without it: all words that are no options.
   */
  targets?(args: readonly string[]): string[] | null;
  /** Arguments that make it count, where it doesn't always. */
  example?: string;
}

/** One verb of a program, `compose ps`, or the program itself where it has none. */
export interface VerbEntry {
  /** Empty for the program itself. */
  words: readonly string[];
  /** What it does, for the rule editor. Begins with a verb: `lists containers`. */
  about: string;
  /** Whether it may change something outside of the work folder. */
  changes: boolean;
  /** Options that an open rule allows: they only select, limit or format. */
  options: readonly OptionRule[];
  /** What an open rule allows beyond what its author may expect; null: nothing. */
  risk: string | null;
  /** What it counts as for cooldowns; absent: nothing. */
  cooldown?: Cooldown;
  /** Whether the agent's CLI runs it without a rule, with any options, if it comes first. It only reads. */
  needsNoRule?: true;
  /** Whether it only reads no more than what an open rule allows: it runs statements. */
  runsStatements?: true;
  /** After this many operands, all arguments belong to another program. */
  freeAfter?: number;
  /**
   * Returns why an open rule doesn't allow these operands and options, or null if it does.
   *
   * @param operands behind the verb, including those that the rule itself names
   * @param added those that it doesn't name
   */
  refuses?(
    operands: readonly string[],
    given: readonly GivenOption[],
    added: readonly string[],
  ): string | null;
}

export interface ProgramEntry {
  program: string;
  /** The program and words that mean the same. */
  sameAs?: { program: string; words: readonly string[] };
  /** Options that take a value, and that a rule may name before the verb that it leaves open. */
  valueOptions?: readonly string[];
  /** Options that are accepted only before the verb. Rules are compared by them. */
  leadingOptions?: readonly OptionRule[];
  /** Options that no open rule allows, wherever they are. Rules are compared by them. */
  closedOptions?: readonly OptionRule[];
  /** Options beyond those of its verbs with which a verb that reads still only reads. */
  readingOptions?: readonly OptionRule[];
  /** Whether it only lists something without a verb. */
  listsAlone?: true;
  /** Those that an open rule can allow. */
  verbs: readonly VerbEntry[];
  /** Verbs that no open rule allows. */
  closedVerbs?: readonly VerbEntry[];
  /** A word in front of a verb that changes nothing about it. */
  optionalWord?: string;
  /**
   * Returns an operand in the one spelling by which rules are compared. Without it each spelling stands
   * for itself.
   */
  spell?(operand: string): readonly string[];
  /** Whether no other spelling means the same as this operand, except those that `spell` compares. */
  isPlain?(operand: string): boolean;
  /** What dangerous options do, by name. Shown when one is refused. */
  dangers: Readonly<Record<string, string>>;
}

/**
 * Options as they are written in a rule: `-f|--follow`, `-n|--tail {int}`. Several names are one
 * option.
 */
export function options(...texts: string[]): OptionRule[] {
  return texts.map((text) => {
    const [names = '', value] = text.split(/ (.*)/s);
    return { names: names.split('|'), value: value === undefined ? null : parseValue(value) };
  });
}

/** `{int}`, or words of which one is meant: `json|yaml`. */
function parseValue(text: string): NonNullable<OptionRule['value']> {
  const placeholder: Placeholder | null = text.startsWith('{')
    ? parsePlaceholder(text.slice(1, -1))
    : { kind: 'oneOf', words: text.split('|') };
  if (!placeholder) throw new Error(`There is no placeholder ${text}.`);
  return [{ placeholder }];
}

export function reads(words: string, about: string, ...allowed: string[]): VerbEntry {
  return { ...verb(words, about, allowed), changes: false };
}

/** Of what the agent's CLI runs without a rule. */
export function readsFreely(words: string, about: string, ...allowed: string[]): VerbEntry {
  return { ...reads(words, about, ...allowed), needsNoRule: true };
}

export function changes(words: string, about: string, ...allowed: string[]): VerbEntry {
  return { ...verb(words, about, allowed), changes: true };
}

export function restarts(words: string, about: string, ...allowed: string[]): VerbEntry {
  return { ...changes(words, about, ...allowed), cooldown: { action: 'restart' } };
}

export function redeploys(words: string, about: string, ...allowed: string[]): VerbEntry {
  return { ...changes(words, about, ...allowed), cooldown: { action: 'redeploy' } };
}

function verb(words: string, about: string, allowed: string[]): Omit<VerbEntry, 'changes'> {
  const split = words === '' ? [] : words.split(' ');
  return { words: split, about, options: options(...allowed), risk: null };
}
