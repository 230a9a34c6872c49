/**
 * Matches an argv against a rule, and says where they differ.
 *
 * The rule's own words come first, then the rest of the verb if the rule leaves it open, then operands
 * and the verb's options. Catalog options are accepted only after the complete verb: before it, a
 * program may parse them differently, and take an option's value for the verb.
 */
import type { GivenOption, ProgramEntry, VerbEntry } from './catalog/entry';
import { optionIndex } from './option-index';
import { type CommandRule, literal, type OptionRule, verbOf, type Word } from './rule';
import { type CheckTargets, serviceValues } from './service-values';
import { type CommandPlace, type RuleValues, resolveValue } from './values';

/** What the project's checks name. */
export interface KnownValues {
  /** They fill `{service}`, by the program of the rule. */
  targets: CheckTargets;
  host: readonly string[];
  url: readonly string[];
}

export interface MatchContext {
  known: KnownValues;
  place: CommandPlace;
}

/** The same for one rule. */
interface RuleContext {
  known: RuleValues;
  place: CommandPlace;
}

export type Mismatch =
  | { kind: 'option_not_named'; option: string }
  | { kind: 'option_value'; option: string; value: string | null }
  | { kind: 'argument'; argument: string }
  | { kind: 'missing' }
  /** An open rule, and the catalog doesn't know the program. */
  | { kind: 'program_unknown' }
  /** An open rule, and the catalog doesn't know the verb. */
  | { kind: 'verb_unknown'; verb: string }
  /** The catalog's reason why an open rule doesn't allow these operands. */
  | { kind: 'operands'; why: string };

export type Match =
  | {
      ok: true;
      /** What to pass to the program, with the real paths of files. */
      args: readonly string[];
      /** Null where the catalog doesn't know it. */
      verb: VerbEntry | null;
    }
  /** `at`: how many arguments the rule covers. */
  | { ok: false; at: number; mismatch: Mismatch };

/** @param args without the program */
export function matchRule(
  rule: CommandRule,
  args: readonly string[],
  program: ProgramEntry | null,
  { known, place }: MatchContext,
): Match {
  const { targets, host, url } = known;
  const context = { known: { service: serviceValues(rule, targets), host, url }, place };
  const own = matchWords(rule, args, program, context);
  if ('mismatch' in own) return { ok: false, ...own };
  const { at, passed, given, operands } = own;
  if (!rule.isOpen) {
    const verb = program && findVerb(program, operands);
    const [next] = args.slice(at);
    if (next === undefined) return { ok: true, args: passed, verb };
    return { ok: false, at, mismatch: unexpected(next) };
  }
  if (!program) return { ok: false, at, mismatch: { kind: 'program_unknown' } };
  const verb = findVerb(program, [...operands, ...leadingWords(args.slice(at))]);
  const openWords = Math.max(0, (verb?.words.length ?? 0) - operands.length);
  if (!verb) {
    const word = [...operands, ...args.slice(at)].slice(0, 2).join(' ');
    return { ok: false, at, mismatch: { kind: 'verb_unknown', verb: word } };
  }
  const free = verb.options.filter(
    ({ names }) => !given.some(({ option }) => isOneOf(names, option)),
  );
  const allowed = [...rule.options, ...free];
  const all = [...operands, ...args.slice(at, at + openWords)].slice(verb.words.length);
  const named = all.length;
  passed.push(...args.slice(at, at + openWords));
  for (let index = at + openWords; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (verb.freeAfter !== undefined && all.length >= verb.freeAfter) {
      passed.push(...args.slice(index));
      break;
    }
    if (!isOption(arg)) {
      all.push(arg);
      passed.push(arg);
      continue;
    }
    const taken = takeOption(allowed, args.slice(index), context);
    if (taken === null) return { ok: false, at: index, mismatch: unexpected(arg) };
    if ('kind' in taken) return { ok: false, at: index, mismatch: taken };
    given.push(taken);
    passed.push(...taken.args);
    index += taken.args.length - 1;
  }
  const why = verb.refuses?.(all, given, all.slice(named)) ?? null;
  if (why !== null) return { ok: false, at: args.length, mismatch: { kind: 'operands', why } };
  return { ok: true, args: passed, verb };
}

interface MatchedWords {
  /** How many arguments the rule's own words and options took. */
  at: number;
  passed: string[];
  given: GivenOption[];
  /** Arguments that matched words of the rule, without options: the verb and operands. */
  operands: string[];
}

/** Matches the rule's words in order, with its optional options between or after them. */
function matchWords(
  rule: CommandRule,
  args: readonly string[],
  program: ProgramEntry | null,
  context: RuleContext,
): MatchedWords | { at: number; mismatch: Mismatch } {
  const { words, options } = rule;
  const verbLength = verbOf(rule).length;
  const { valued } = optionIndex(program);
  const found: MatchedWords = { at: 0, passed: [], given: [], operands: [] };
  let next = 0;
  while (found.at < args.length) {
    const { at } = found;
    const arg = args[at] ?? '';
    const word = words[next];
    const value = word ? wordFor(word, arg, context) : null;
    if (value !== null) {
      found.passed.push(value);
      const before = literal(words[next - 1] ?? []) ?? '';
      if (isOption(arg)) found.given.push({ option: nameOf(arg), value: null });
      else if (valued.has(before)) {
        found.given.splice(-1, 1, { option: before, value });
      } else found.operands.push(value);
      next += 1;
      found.at += 1;
      continue;
    }
    // Directly after one of the rule's options, the program could take another one as its value.
    const isBehindOption = next > 0 && isOption(args[at - 1] ?? '') && next < words.length;
    if (!isOption(arg) || isBehindOption || next < verbLength) break;
    const taken = takeOption(options, args.slice(at), context);
    if (taken === null) break;
    if ('kind' in taken) return { at, mismatch: taken };
    found.given.push(taken);
    found.passed.push(...taken.args);
    found.at += taken.args.length;
  }
  if (next === words.length) return found;
  const arg = args[found.at];
  return { at: found.at, mismatch: arg === undefined ? { kind: 'missing' } : unexpected(arg) };
}

/** Also for `-nweb` and `-it`, which begin with the name. */
function isOneOf(names: readonly string[], given: string): boolean {
  return names.some((name) => given === name || (/^-\w$/.test(name) && given.startsWith(name)));
}

/** The words before the first option. */
function leadingWords(args: readonly string[]): readonly string[] {
  const end = args.findIndex(isOption);
  return end === -1 ? args : args.slice(0, end);
}

/** The longest verb that the words begin with; null for an unknown one. */
export function findVerb({ verbs }: ProgramEntry, words: readonly string[]): VerbEntry | null {
  const [found] = verbs
    .filter((verb) => verb.words.every((word, at) => word === words[at]))
    .toSorted((one, other) => other.words.length - one.words.length);
  return found ?? null;
}

function unexpected(arg: string): Mismatch {
  return isOption(arg)
    ? { kind: 'option_not_named', option: nameOf(arg) }
    : { kind: 'argument', argument: arg };
}

function isOption(arg: string): boolean {
  return arg.startsWith('-') || arg.startsWith('+');
}

/** Of `--tail=5` and `--tail`: `--tail`. */
function nameOf(arg: string): string {
  return arg.replace(/=.*$/s, '');
}

/** `args`: what to pass to the program, as one argument or two. */
type TakenOption = GivenOption & { args: readonly string[] };

/** Null: no rule names the option. */
function takeOption(
  allowed: readonly OptionRule[],
  [arg = '', following]: readonly string[],
  context: RuleContext,
): TakenOption | Mismatch | null {
  const named = (name: string) => allowed.find(({ names }) => names.includes(name));
  const withValue = (
    { value: expected }: OptionRule,
    option: string,
    value: string | undefined,
    argsOf: (resolved: string) => readonly string[],
  ): TakenOption | Mismatch => {
    const resolved = expected && value !== undefined ? wordFor(expected, value, context) : null;
    return resolved === null
      ? { kind: 'option_value', option, value: value ?? null }
      : { option, value: resolved, args: argsOf(resolved) };
  };
  const whole = named(arg);
  if (whole?.value === null) return { option: arg, value: null, args: [arg] };
  if (whole) return withValue(whole, arg, following, (resolved) => [arg, resolved]);
  const [, name = '', value] = /^(--[^=]+)=(.*)$/s.exec(arg) ?? [];
  const long = named(name);
  if (long) return withValue(long, name, value, (resolved) => [`${name}=${resolved}`]);
  const [, letter = '', rest = ''] = /^-([A-Za-z0-9])(.+)$/s.exec(arg) ?? [];
  const short = named(`-${letter}`);
  if (!short) return null;
  const joined = (resolved: string) => [`-${letter}${resolved}`];
  if (short.value !== null) return withValue(short, `-${letter}`, rest, joined);
  // Several without a value in one: `-it`.
  const isCluster = [...rest].every((each) => named(`-${each}`)?.value === null);
  return isCluster ? { option: arg, value: null, args: [arg] } : null;
}

/** Returns what to pass for an argument that matches the word, or null if it doesn't match. */
function wordFor(word: Word, text: string, context: RuleContext): string | null {
  const [part, ...rest] = word;
  if (!part) return text === '' ? '' : null;
  if ('text' in part) {
    if (!text.startsWith(part.text)) return null;
    const after = wordFor(rest, text.slice(part.text.length), context);
    return after === null ? null : part.text + after;
  }
  const { known, place } = context;
  const shortest = rest.length === 0 ? text.length : 1;
  for (let end = text.length; end >= shortest; end -= 1) {
    const value = resolveValue(part.placeholder, text.slice(0, end), known, place);
    const after = value === null ? null : wordFor(rest, text.slice(end), context);
    if (value !== null && after !== null) return value + after;
  }
  return null;
}
