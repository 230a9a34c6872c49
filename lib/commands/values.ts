/**
 * Placeholders of command rules, and what each stands for: exactly one argument, or a part of one.
 * No value starts with a hyphen, so none is read as an option.
 */
import path from 'node:path';

export type Placeholder =
  | { kind: 'service' | 'host' | 'url' | 'int' | 'word' | 'time' }
  /** A file or folder below `dir`, which is relative to the work folder unless it is absolute. */
  | { kind: 'path'; dir: string }
  /** Any text that doesn't begin with a hyphen. */
  | { kind: 'text' }
  /** One of these. Rules can't name it. */
  | { kind: 'oneOf'; words: readonly string[] };

/** What the project says about its services; the other placeholders have a form of their own. */
export interface KnownValues {
  service: readonly string[];
  host: readonly string[];
  url: readonly string[];
}

/** What is true of the place where a command is to run. */
export interface CommandPlace {
  /** Absolute; where the agent ran the command. */
  cwd: string;
  /** Absolute; the attempt's work folder. */
  workDir: string;
  /**
   * The real path of what a path names, with every link followed; of what doesn't exist yet, the
   * real path of its folder with the name. Null if that can't be said.
   */
  realPath(file: string): string | null;
}

/** For the rule editor: how each is written, and what it stands for. */
export const PLACEHOLDER_HELP: readonly { form: string; standsFor: string }[] = [
  {
    form: '{service}',
    standsFor: 'the name of a service, or of the container, unit or process that it checks',
  },
  { form: '{host}', standsFor: 'a host that a check of the project names' },
  { form: '{url}', standsFor: 'a URL that a check of the project requests' },
  { form: '{int}', standsFor: 'a whole number of up to 9 digits' },
  { form: '{time}', standsFor: 'a time or a duration, such as 10m or 2026-01-31T08:00' },
  { form: '{word}', standsFor: 'one name: letters, digits, dots, hyphens, underscores, : and @' },
  {
    form: '{path under .}',
    standsFor: 'a file or folder in the work folder, or below the folder that is named',
  },
];

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

export function placeholderText(placeholder: Placeholder): string {
  switch (placeholder.kind) {
    case 'path':
      return `{path under ${placeholder.dir}}`;
    case 'oneOf':
      return placeholder.words.join('|');
    default:
      return `{${placeholder.kind}}`;
  }
}

/**
 * What the program is given for `text`, if that is a value of the placeholder: the text itself, or
 * the real path of a file, since the program runs in another folder. Null if it is none.
 */
export function resolveValue(
  placeholder: Placeholder,
  text: string,
  known: KnownValues,
  place: CommandPlace,
): string | null {
  if (placeholder.kind === 'path') return pathBelow(text, placeholder.dir, place);
  return !text.startsWith('-') && isText(placeholder, text, known) ? text : null;
}

function isText(
  placeholder: Exclude<Placeholder, { kind: 'path' }>,
  text: string,
  known: KnownValues,
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

/** Both by their real paths, so that neither `..` nor a link leads out of the folder. */
function pathBelow(
  text: string,
  dir: string,
  { cwd, workDir, realPath }: CommandPlace,
): string | null {
  // Programs give these a meaning of their own: standard input, a URL, a file's contents.
  if (text === '' || /^(-|@|~|[a-z][a-z0-9+.-]*:)/i.test(text)) return null;
  // Several files, or names that are patterns: a program would read others than were looked at.
  if (/[\0,*?[\]{}\\]/.test(text)) return null;
  const folder = realPath(path.resolve(workDir, dir));
  const file = realPath(path.resolve(cwd, text));
  if (folder === null || file === null) return null;
  if (/[,*?[\]{}\\]/.test(file)) return null;
  const isBelow = file === folder || file.startsWith(folder === '/' ? '/' : `${folder}/`);
  return isBelow ? file : null;
}
