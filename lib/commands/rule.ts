/**
 * Parses command rules such as `Bash(docker logs [--tail {int}] {service})`. Each word matches one
 * argument:
 *
 * - plain words match literally; quotes and backslashes work as in a shell;
 * - a placeholder matches one value of its kind, as a whole word or as a part of one;
 * - `[--option]` and `[--option {int}]` are optional, anywhere after the verb;
 * - `:*` or ` *` at the end makes the rule open: operands may follow, and harmless options of the
 *   catalog.
 */
import { type Placeholder, parsePlaceholder } from './values';

export type WordPart = { text: string } | { placeholder: Placeholder };
/** Matches one argument. */
export type Word = readonly WordPart[];

export interface OptionRule {
  /** Every spelling: `-n`, `--tail`. */
  names: readonly string[];
  /** What its value may be; null: it takes none. */
  value: Word | null;
}

export interface CommandRule {
  /** As written, with its tool. */
  text: string;
  /** Without a path. */
  program: string;
  words: readonly Word[];
  options: readonly OptionRule[];
  isOpen: boolean;
}

export type ParsedRule = { ok: true; rule: CommandRule } | { ok: false; problem: string };

type Token = { word: Word } | '[' | ']';

/** @param text a whole rule of the tool Bash, `Bash(…)` or `Bash` */
export function parseCommandRule(text: string): ParsedRule {
  const inner = /^Bash(?:\(([\s\S]*)\))?$/.exec(text.trim())?.[1]?.trim() ?? '';
  const body = inner.replace(/(?::\*| \*)$/, '').trim();
  if (inner === '' || /^:?\*$/.test(inner) || body === '') {
    return fail('It names no program, so it allows nothing outside the sandbox.');
  }
  const tokens = tokensOf(body);
  if (typeof tokens === 'string') return fail(tokens);
  const words: Word[] = [];
  const options: OptionRule[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined || token === ']') return fail('A ] has no [ before it.');
    if (token !== '[') {
      words.push(token.word);
      continue;
    }
    const end = tokens.indexOf(']', at);
    const group = tokens.slice(at + 1, end);
    const option = end === -1 ? null : optionOf(group);
    if (!option) return fail('Write an option in brackets as [--tail {int}] or [-f].');
    options.push(option);
    at = end;
  }
  const misplaced = words.find((word) => word.slice(0, -1).some(isPathPart));
  if (misplaced) return fail('{path under …} must be the last part of its word.');
  const [first, ...rest] = words;
  const program = first ? literal(first) : null;
  if (program === null || !/^[A-Za-z0-9_][\w.+-]*$/.test(program)) {
    return fail('It must begin with the name of a program, without a path.');
  }
  if ([...rest, ...options.map(({ value }) => value ?? [])].some(hasStar)) {
    return fail('A * within a rule can’t be matched against arguments. Use {word}.');
  }
  return { ok: true, rule: { text, program, words: rest, options, isOpen: body !== inner } };
}

function fail(problem: string): ParsedRule {
  return { ok: false, problem };
}

/** The word's text, if it has no placeholder. */
export function literal(word: Word): string | null {
  const [first] = word;
  if (first && 'text' in first && word.length === 1) return first.text;
  const texts = word.map((part) => ('text' in part ? part.text : null));
  return texts.includes(null) ? null : texts.join('');
}

const VERBS = new WeakMap<CommandRule, readonly string[]>();

/** The words of the verb: `compose`, `ps` of `docker compose ps`. */
export function verbOf(rule: CommandRule): readonly string[] {
  const verb = VERBS.get(rule) ?? leadingWords(rule);
  VERBS.set(rule, verb);
  return verb;
}

function leadingWords({ words }: CommandRule): string[] {
  const texts = words.map(literal);
  const end = texts.findIndex((text) => text === null || text.startsWith('-'));
  return texts.slice(0, end === -1 ? undefined : end).filter((text) => text !== null);
}

function isPathPart(part: WordPart): boolean {
  return 'placeholder' in part && part.placeholder.kind === 'path';
}

function hasStar(word: Word): boolean {
  return word.some((part) => 'text' in part && part.text.includes('*'));
}

function optionOf(group: readonly (Token | undefined)[]): OptionRule | null {
  const [name, value, more] = group;
  if (typeof name !== 'object' || more !== undefined || typeof value === 'string') return null;
  const text = literal(name.word);
  if (text !== null) {
    return isOption(text) ? { names: [text], value: value?.word ?? null } : null;
  }
  // `[--tail={int}]`: a value in the same word.
  const [start, ...rest] = name.word;
  const inline = start && 'text' in start ? /^(-[^=]+)=(.*)$/s.exec(start.text) : null;
  const option = inline?.[1];
  if (!option || value !== undefined || !isOption(option)) return null;
  const before = inline?.[2] ? [{ text: inline[2] }] : [];
  return { names: [option], value: [...before, ...rest] };
}

function isOption(text: string): boolean {
  return /^(-[A-Za-z0-9?]|--?[A-Za-z0-9][\w.-]*)$/.test(text);
}

/** @returns a sentence where the text can't be read */
function tokensOf(text: string): Token[] | string {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === ' ' || char === '\t' || char === '\n') {
      at += 1;
      continue;
    }
    if (char === '[' || char === ']') {
      tokens.push(char);
      at += 1;
      continue;
    }
    const read = readWord(text, at);
    if (typeof read === 'string') return read;
    tokens.push({ word: read.word });
    at = read.end;
  }
  return tokens;
}

function readWord(text: string, from: number): { word: Word; end: number } | string {
  const parts: WordPart[] = [];
  let at = from;
  const add = (more: string) => {
    const last = parts.at(-1);
    if (last && 'text' in last) parts[parts.length - 1] = { text: last.text + more };
    else parts.push({ text: more });
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    if (/[\s[\]]/.test(char)) break;
    if (char === '\\') {
      if (at + 1 >= text.length) return 'It ends with a backslash.';
      add(text[at + 1] ?? '');
      at += 2;
    } else if (char === "'" || char === '"') {
      const end = text.indexOf(char, at + 1);
      if (end === -1) return 'A quote is not closed.';
      add(text.slice(at + 1, end));
      at = end + 1;
    } else {
      const end = char === '{' ? text.indexOf('}', at) : -1;
      const placeholder = end === -1 ? null : parsePlaceholder(text.slice(at + 1, end));
      const named = /^\{[a-z][a-z ]*[^,{}"]*\}/.exec(text.slice(at))?.[0];
      if (named && !placeholder) return `There is no placeholder ${named}.`;
      if (placeholder) parts.push({ placeholder });
      else add(char);
      at = placeholder ? end + 1 : at + 1;
    }
  }
  return { word: parts.length === 0 ? [{ text: '' }] : parts, end: at };
}
