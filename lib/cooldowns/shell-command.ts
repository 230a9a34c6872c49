/** A line of shell, taken apart far enough to see which programs it starts with which words. */
export interface ShellLine {
  /** Simple commands in order, as words without their quotes. */
  commands: string[][];
  /** Texts that the shell would run to fill in a word: `$(…)`, backticks, `<(…)`. */
  nested: string[];
  /** Output or input goes to or comes from a file. */
  redirects: boolean;
}

/** Stands in a word where the shell would fill something in. */
const UNKNOWN = '$';

const SEPARATORS = new Set([';', '&', '|', '\n', '(', ')', '{', '}']);
const SPACE = new Set([' ', '\t', '\r']);

/** Reads quotes, escapes, separators, substitutions and redirections; expands nothing. */
export function readShell(text: string): ShellLine {
  const line: ShellLine = { commands: [], nested: [], redirects: false };
  let words: string[] = [];
  let word: string | null = null;
  let index = 0;

  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) line.commands.push(words);
    words = [];
  };
  const add = (part: string) => {
    word = (word ?? '') + part;
  };
  const readDoubleQuotes = () => {
    add('');
    index += 1;
    while (index < text.length && text[index] !== '"') {
      const char = text.charAt(index);
      if (char === '\\') {
        add(text.charAt(index + 1));
        index += 2;
      } else if (isSubstitution(text, index)) {
        add(UNKNOWN);
        index = takeSubstitution(text, index, line.nested);
      } else {
        add(char);
        index += 1;
      }
    }
    index += 1;
  };

  while (index < text.length) {
    const char = text.charAt(index);
    if (char === '\\') {
      // A line that goes on: both characters vanish.
      if (text[index + 1] !== '\n') add(text.charAt(index + 1));
      index += 2;
    } else if (char === '$' && (text[index + 1] === "'" || text[index + 1] === '"')) {
      index += 1;
    } else if (char === "'") {
      const end = text.indexOf("'", index + 1);
      add(text.slice(index + 1, end === -1 ? text.length : end));
      index = end === -1 ? text.length : end + 1;
    } else if (char === '"') {
      readDoubleQuotes();
    } else if (isSubstitution(text, index)) {
      add(UNKNOWN);
      index = takeSubstitution(text, index, line.nested);
    } else if (char === '>' || char === '<') {
      line.redirects = true;
      endWord();
      index += 1;
    } else if (char === '#' && word === null) {
      const end = text.indexOf('\n', index);
      index = end === -1 ? text.length : end;
    } else if (isBrace(char) && (word !== null || isInsideWord(text, index))) {
      add(char);
      index += 1;
    } else if (SEPARATORS.has(char)) {
      endCommand();
      index += 1;
    } else if (SPACE.has(char)) {
      endWord();
      index += 1;
    } else {
      add(char);
      index += 1;
    }
  }
  endCommand();
  return line;
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
