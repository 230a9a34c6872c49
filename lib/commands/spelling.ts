/**
 * Reads commands and rules in the one form by which they are compared, however they are spelled:
 * operands in order, and options with their values, wherever they are.
 */
import { comparedProgram } from './catalog/catalog';
import type { ProgramEntry, VerbEntry } from './catalog/entry';
import { type OptionIndex, optionIndex, type VerbNode } from './option-index';
import type { CommandRule, OptionRule, Word } from './rule';

export interface FormOption {
  /** As written, without a value: `-n`, `--tail`. */
  given: string;
  /** Null where the catalog doesn't know it. */
  known: OptionRule | null;
  /** What it may be set to. Empty for nothing; in a rule, also for anything. */
  values: readonly string[];
  /** Whether the value may be an operand instead, because the option may take none. */
  isUnsure: boolean;
}

export interface CommandForm {
  program: string;
  entry: ProgramEntry | null;
  /** Null where the catalog doesn't know it. */
  verb: VerbEntry | null;
  /**
   * With the words of the verb; null stands for any word. A word that may be an option's value counts as
   * an operand in a command but not in a rule, so that rules match more rather than less.
   */
  operands: readonly (string | null)[];
  /** Whether the first operand may be an option's value. */
  isFirstUnsure: boolean;
  options: readonly FormOption[];
}

/** An option of a rule with a placeholder in the same word: `--tail={int}`, `-u{text}`. */
interface OpenOption {
  option: string;
}

type Token = string | null | OpenOption;

/** @param args without the program */
export function commandForm(name: string, args: readonly string[]): CommandForm {
  const { program, entry, words } = comparedProgram(name);
  return readForm(program, entry, [...words, ...args], false);
}

const RULE_FORMS = new WeakMap<CommandRule, CommandForm>();

/** The optional options of a rule are left out: they restrict what it is about to nothing. */
export function ruleForm(rule: CommandRule): CommandForm {
  const known = RULE_FORMS.get(rule);
  if (known) return known;
  const { program, entry, words } = comparedProgram(rule.program);
  const form = readForm(program, entry, [...words, ...rule.words.map(tokenOf)], true);
  RULE_FORMS.set(rule, form);
  return form;
}

function tokenOf(word: Word): Token {
  const texts = word.map((part) => ('text' in part ? part.text : null));
  const [first] = texts;
  if (!texts.includes(null)) return texts.join('');
  if (!first?.startsWith('-')) return null;
  return { option: first.startsWith('--') ? first.replace(/=.*$/s, '') : first.slice(0, 2) };
}

function readForm(
  program: string,
  entry: ProgramEntry | null,
  words: readonly Token[],
  isRule: boolean,
): CommandForm {
  const index = optionIndex(entry);
  const operands: (string | null)[] = [];
  const found: FormOption[] = [];
  const spell = (word: string) => entry?.spell?.(word) ?? [word];
  const spellValue = (value: string) => spell(value).join(' ');
  /** Null once the verb is complete, or known to be none of the catalog's. */
  let node: VerbNode | null = index.root;
  let verb: VerbEntry | null = null;
  let behindVerb = 0;
  let hasEnded = false;
  let isFirstUnsure = false;
  /** Of a word that an option in front of the verb may take. */
  let unsureAt = -1;
  const settle = (at: VerbNode) => {
    verb = at.verb;
    node = null;
  };
  if (index.root.next.size === 0) settle(index.root);

  /** Another verb than the catalog's may have an option of the same name that takes no value. */
  const isSure = () => verb !== null || node !== null;
  const lookUp = (name: string) => findOption(index, verb, node !== null, name);
  const add = (given: string, known: OptionRule | null, values: string[], isUnsure = false) =>
    found.push({ given, known, values: values.map(spellValue), isUnsure });

  /** Adds an option whose value, if it takes one, is the next word. Returns the words it takes. */
  const addWithNext = (given: string, known: OptionRule | null, at: number): number => {
    const next = words[at + 1];
    if (
      known?.value === null ||
      next === undefined ||
      (next !== null && typeof next === 'object')
    ) {
      add(given, known, []);
      return 0;
    }
    if (known && isSure()) {
      add(given, known, next === null ? [] : [next]);
      // A program could also read it as an option.
      return next !== null && isOption(next) ? 0 : 1;
    }
    const isVerb = next !== null && node?.next.has(next) === true;
    if (isVerb || (next !== null && isOption(next))) {
      add(given, known, []);
      return 0;
    }
    add(given, known, next === null ? [] : [next], true);
    if (operands.length === 0) isFirstUnsure = true;
    if (isRule) return 1;
    unsureAt = at + 1;
    return 0;
  };

  /** Takes joined options apart: `-it`, `-n5`, `-tn5`. */
  const addJoined = (word: string, at: number): number => {
    for (let letter = 1; letter < word.length; letter += 1) {
      const given = `-${word[letter]}`;
      const rest = word.slice(letter + 1);
      const known = lookUp(given);
      if (!known || (known.value !== null && !isSure())) {
        addUnknown(`-${word.slice(letter)}`);
        return 0;
      }
      if (rest === '') return addWithNext(given, known, at);
      const isSet = rest.startsWith('=');
      if (known.value !== null || isSet) {
        const value = isSet ? rest.slice(1) : rest;
        const isPlainlySet = known.value === null && value === 'true';
        add(given, known, isRule && isPlainlySet ? [] : [...new Set([rest, value])]);
        return 0;
      }
      add(given, known, []);
    }
    return 0;
  };

  /** It may be several options, one with a long name, or one with its value. */
  const addUnknown = (word: string) => {
    const [, name = word, value] = /^(-[^=]+)=(.*)$/s.exec(word) ?? [];
    add(name, null, value === undefined ? [] : [value]);
    if (isRule) return;
    const letters = [...name.slice(1)];
    for (const letter of letters) add(`-${letter}`, lookUp(`-${letter}`), []);
    add(word.slice(0, 2), null, [word.slice(2), word.slice(2).replace(/^=/, '')]);
  };

  const addOption = (word: string, at: number): number => {
    if (word.startsWith('+')) {
      add(word, lookUp(word), []);
      if (!isRule) operands.push(...spell(word));
      return 0;
    }
    const [, name, value = ''] = /^(--[^=]+|-[^-=])=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) {
      const known = lookUp(name);
      const isPlainlySet = isRule && known?.value == null && value === 'true';
      const values = name.startsWith('--') ? [value] : [value, `=${value}`];
      add(name, known, isPlainlySet ? [] : values);
      return 0;
    }
    if (word.startsWith('--') || word.length === 2) return addWithNext(word, lookUp(word), at);
    return addJoined(word, at);
  };

  const addOperand = (word: string, at: number) => {
    const next = node?.next.get(word);
    if (node && next) {
      node = next;
      operands.push(...spell(word));
      if (next.next.size === 0) settle(next);
      return;
    }
    const isSkipped = at === unsureAt || (operands.length === 0 && word === entry?.optionalWord);
    if (node && !isSkipped) settle(node);
    if (!node) behindVerb += 1;
    operands.push(...spell(word));
  };

  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const { freeAfter } = (verb as VerbEntry | null) ?? {};
    const isFree = freeAfter !== undefined && behindVerb >= freeAfter;
    if (word === null || word === undefined) {
      if (node) settle(node);
      behindVerb += 1;
      operands.push(null);
    } else if (typeof word === 'object') {
      add(word.option, lookUp(word.option), []);
    } else if (isFree) operands.push(...spell(word));
    else if (word === '--' && !hasEnded) hasEnded = true;
    else if (isOption(word) && !hasEnded) at += addOption(word, at);
    else addOperand(word, at);
  }
  if (node) settle(node);
  const [first, ...others] = operands;
  const isOptional = isRule && first === entry?.optionalWord && others.length > 0;
  const options = found.map((option) =>
    option.known || !verb
      ? option
      : { ...option, known: findOption(index, verb, false, option.given) },
  );
  return {
    ...{ program, entry, verb, isFirstUnsure, options },
    operands: isOptional ? others : operands,
  };
}

function findOption(
  { leading, closed, agreed, ofVerb }: OptionIndex,
  verb: VerbEntry | null,
  isBeforeVerb: boolean,
  name: string,
): OptionRule | null {
  const own = isBeforeVerb ? leading.get(name) : verb && ofVerb(verb).get(name);
  return own ?? closed.get(name) ?? (isBeforeVerb ? agreed.get(name) : null) ?? null;
}

function isOption(word: string): boolean {
  return /^[-+]./s.test(word);
}
