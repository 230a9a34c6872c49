/**
 * A line of shell, taken apart far enough to see which programs it starts with which words. The one
 * parser for cooldowns, for "Try a command" and for what may have changed something.
 */
interface ShellLine {
  /** The parts between the operators `&& || ; | &` and line ends, in order. */
  parts: ShellPart[];
  /** Every simple command, in order; those inside of `( )` and `{ }` too. */
  commands: ShellCommand[];
  /** Texts that the shell would run to fill in a word: `$(…)`, backticks, `<(…)`. */
  nested: string[];
}

export interface ShellPart {
  /** As written, with continued lines joined. */
  text: string;
  /** The same without its redirections. */
  bareText: string;
  commands: ShellCommand[];
}

export interface ShellCommand {
  /** Without quotes, and without redirections. */
  words: string[];
  redirections: Redirection[];
  /** A variable or a list in braces: the shell would put other words there. */
  hasExpansion: boolean;
}

export interface Redirection {
  /** `>`, `>>`, `>|`, `>&`, `&>`, `&>>`, `<`, `<<`, `<<<`, `<&` or `<>`. */
  operator: string;
  /** Without quotes; empty where nothing follows. */
  target: string;
}

/** Stands in a word where the shell would fill something in. */
const UNKNOWN = '$';

const SEPARATORS = new Set([';', '&', '|', '\n', '(', ')', '{', '}']);
const LIST_OPERATORS = new Set([';', '&', '|', '\n']);
const SPACE = new Set([' ', '\t', '\r']);
const REDIRECTION = /^(&>>|&>|<<<|<<-?|<&|<>|<|>>|>\||>&|>)/;
/** `$NAME`, `${…}`, `$1`, `$?`; `$(…)` is a substitution. */
const VARIABLE = /^\$[\w{@*#?!$-]/;

/** Reads quotes, escapes, operators, substitutions and redirections; expands nothing. */
export function readShell(text: string): ShellLine {
  const line: ShellLine = { parts: [], commands: [], nested: [] };
  let command: ShellCommand = emptyCommand();
  let inPart: ShellCommand[] = [];
  let partStart = 0;
  /** Where the redirections of this part begin and end. */
  let spans: [from: number, to: number][] = [];
  let word: string | null = null;
  let isQuoted = false;
  let redirection: Redirection | null = null;
  let index = 0;

  const endRedirection = (target: string) => {
    if (redirection === null) return;
    redirection.target = target;
    redirection = null;
    const span = spans.at(-1);
    if (span) span[1] = index;
  };
  const endWord = () => {
    if (word !== null) {
      if (!isQuoted && isBraceList(word)) command.hasExpansion = true;
      if (redirection === null) command.words.push(word);
      else endRedirection(word);
    }
    word = null;
    isQuoted = false;
  };
  const endCommand = () => {
    endWord();
    redirection = null;
    if (command.words.length > 0 || command.redirections.length > 0) {
      line.commands.push(command);
      inPart.push(command);
    }
    command = emptyCommand();
  };
  const endPart = () => {
    const written = onOneLine(text.slice(partStart, index));
    const between = [...spans, [index, index] as const].map(([from], at) =>
      text.slice(spans[at - 1]?.[1] ?? partStart, from),
    );
    if (written !== '') {
      line.parts.push({ text: written, bareText: onOneLine(between.join('')), commands: inPart });
    }
    inPart = [];
    spans = [];
  };
  const add = (part: string) => {
    word = (word ?? '') + part;
  };
  const addSubstitution = () => {
    add(UNKNOWN);
    command.hasExpansion = true;
    index = takeSubstitution(text, index, line.nested);
  };
  const readDoubleQuotes = () => {
    add('');
    isQuoted = true;
    index += 1;
    while (index < text.length && text[index] !== '"') {
      const char = text.charAt(index);
      if (char === '\\') {
        add(text.charAt(index + 1));
        index += 2;
      } else if (isSubstitution(text, index)) {
        addSubstitution();
      } else {
        if (VARIABLE.test(text.slice(index, index + 2))) command.hasExpansion = true;
        add(char);
        index += 1;
      }
    }
    index += 1;
  };
  const beginRedirection = (operator: string) => {
    // `2>`: the number belongs to the operator.
    const isNumbered = word !== null && !isQuoted && /^\d+$/.test(word);
    const from = index - (isNumbered ? (word ?? '').length : 0);
    if (isNumbered) word = null;
    endWord();
    redirection = { operator, target: '' };
    command.redirections.push(redirection);
    index += operator.length;
    spans.push([from, index]);
  };

  while (index < text.length) {
    const char = text.charAt(index);
    const operator = REDIRECTION.exec(text.slice(index, index + 3))?.[0];
    if (char === '\\') {
      // A continued line: both characters vanish.
      if (text[index + 1] !== '\n') {
        add(text.charAt(index + 1));
        isQuoted = true;
      }
      index += 2;
    } else if (char === '$' && (text[index + 1] === "'" || text[index + 1] === '"')) {
      // `$'\x2d'` spells characters that are not written out.
      if (text[index + 1] === "'") command.hasExpansion = true;
      index += 1;
    } else if (char === "'") {
      const end = text.indexOf("'", index + 1);
      add(text.slice(index + 1, end === -1 ? text.length : end));
      isQuoted = true;
      index = end === -1 ? text.length : end + 1;
    } else if (char === '"') {
      readDoubleQuotes();
    } else if (isSubstitution(text, index)) {
      addSubstitution();
    } else if (operator) {
      beginRedirection(operator);
    } else if (char === '#' && word === null) {
      const end = text.indexOf('\n', index);
      index = end === -1 ? text.length : end;
    } else if (isBrace(char) && (word !== null || isInsideWord(text, index))) {
      add(char);
      index += 1;
    } else if (SEPARATORS.has(char)) {
      endCommand();
      if (LIST_OPERATORS.has(char)) endPart();
      index += 1;
      if (LIST_OPERATORS.has(char)) partStart = index;
    } else if (SPACE.has(char)) {
      endWord();
      index += 1;
    } else {
      if (VARIABLE.test(text.slice(index, index + 2))) command.hasExpansion = true;
      add(char);
      index += 1;
    }
  }
  endCommand();
  endPart();
  return line;
}

function onOneLine(text: string): string {
  return text.replace(/\\\n/g, ' ').trim();
}

function emptyCommand(): ShellCommand {
  return { words: [], redirections: [], hasExpansion: false };
}

/** `{a,b}` and `{1..3}` become several words. */
function isBraceList(word: string): boolean {
  return /\{[^{}]*(,|\.\.)[^{}]*\}/.test(word);
}

function isBrace(char: string): boolean {
  return char === '{' || char === '}';
}

/** `{docker,restart}` is a word, `{ docker; }` is a group. */
function isInsideWord(text: string, index: number): boolean {
  const next = text[index + 1];
  return text[index] === '{' && next !== undefined && !SPACE.has(next) && next !== '\n';
}

function isSubstitution(text: string, index: number): boolean {
  const char = text[index];
  if (char === '`') return true;
  return (char === '$' || char === '<' || char === '>') && text[index + 1] === '(';
}

/** Puts the inner text aside and returns the index after it. */
function takeSubstitution(text: string, index: number, nested: string[]): number {
  if (text[index] === '`') {
    const end = text.indexOf('`', index + 1);
    const stop = end === -1 ? text.length : end;
    nested.push(text.slice(index + 1, stop));
    return stop + 1;
  }
  let depth = 0;
  for (let at = index + 1; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) {
      nested.push(text.slice(index + 2, at));
      return at + 1;
    }
  }
  nested.push(text.slice(index + 2));
  return text.length;
}
