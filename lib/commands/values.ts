/**
 * Placeholders of command rules. Each matches one argument, or a part of one. A value never starts
 * with a hyphen, so a program can't read it as an option.
 */

export type Placeholder =
  | { kind: 'service' | 'host' | 'url' | 'int' | 'word' | 'time' }
  /** A file or folder below `dir`, which is relative to the work folder unless it is absolute. */
  | { kind: 'path'; dir: string }
  /** Any text that doesn't begin with a hyphen. */
  | { kind: 'text' }
  /** One of these. Rules can't name it. */
  | { kind: 'oneOf'; words: readonly string[] };

/** Values of the placeholders that depend on the project, for one rule. */
export interface RuleValues {
  service: readonly string[];
  host: readonly string[];
  url: readonly string[];
}

/** Where the agent runs the command. */
export interface CommandPlace {
  /** Absolute; where the agent ran the command. */
  cwd: string;
  /** Absolute; the attempt's work folder. */
  workDir: string;
  /**
   * Returns the path with every link followed. For a file that doesn't exist, only its folder is
   * resolved. Null if that fails.
   */
  realPath(file: string): string | null;
}

const FORMS = {
  int: /^\d{1,9}$/,
  word: /^[A-Za-z0-9_][\w.@:-]{0,252}$/,
  time: /^[A-Za-z0-9][A-Za-z0-9:. +-]{0,39}$/,
} as const;

/** @param text without its braces. Null for text that is no placeholder. */
export function parsePlaceholder(text: string): Placeholder | null {
  const under = /^path under (\S(?:.*\S)?)$/.exec(text);
  if (under?.[1] !== undefined) return { kind: 'path', dir: under[1] };
  switch (text) {
    case 'service':
    case 'host':
    case 'url':
    case 'int':
    case 'word':
    case 'time':
    case 'text':
      return { kind: text };
    default:
      return null;
  }
}

/**
 * Returns what to pass to the program for `text`: the text itself, or a file's real path, because the
 * program runs in another folder. Null if the placeholder doesn't match.
 */
export function resolveValue(
  placeholder: Placeholder,
  text: string,
  known: RuleValues,
  place: CommandPlace,
): string | null {
  if (placeholder.kind === 'path') return pathBelow(text, placeholder.dir, place);
  return !text.startsWith('-') && isText(placeholder, text, known) ? text : null;
}

function isText(
  placeholder: Exclude<Placeholder, { kind: 'path' }>,
  text: string,
  known: RuleValues,
): boolean {
  switch (placeholder.kind) {
    case 'service':
    case 'host':
    case 'url':
      return known[placeholder.kind].includes(text);
    case 'int':
    case 'word':
    case 'time':
      return FORMS[placeholder.kind].test(text);
    case 'text':
      return true;
    case 'oneOf':
      return placeholder.words.includes(text);
  }
}

/** Compares real paths, so that neither `..` nor a link leads out of the folder. */
function pathBelow(
  text: string,
  dir: string,
  { cwd, workDir, realPath }: CommandPlace,
): string | null {
  // Programs read these as something else: standard input, a URL, the contents of a file.
  if (text === '' || /^(-|@|~|[a-z][a-z0-9+.-]*:)/i.test(text)) return null;
  // Lists and patterns: the program would read files that weren't checked.
  if (/[\0,*?[\]{}\\]/.test(text)) return null;
  const folder = realPath(resolved(workDir, dir));
  const file = realPath(resolved(cwd, text));
  if (folder === null || file === null) return null;
  if (/[,*?[\]{}\\]/.test(file)) return null;
  const isBelow = file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`);
  return isBelow ? file : null;
}

/** Without Node's own, so that a browser can try a command, too. */
export function resolved(folder: string, text: string): string {
  const whole = text.startsWith('/') ? text : `${folder}/${text}`;
  const names: string[] = [];
  for (const name of whole.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}
