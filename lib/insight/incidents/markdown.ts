/**
 * Text of people, systems and agents as Markdown that shows it and does nothing else: no links, images,
 * HTML or blocks result, in CommonMark and GitHub's dialect. Pure.
 */
import { visibleText } from '@/lib/platform/format/visible-text';

const MAX_TEXT = 1_000;
const MAX_CODE = 500;

/** What has a meaning anywhere in a line. */
const MARKS = /[\\`*_[\]<>&~|$]/g;

/** What has one at the beginning of a line: a list, a rule, the underline of a heading. */
const AT_START = /^(?:[-+=]|#(?=#*$)|\d+[.)]$)/;

/** `example.com` and `:smile:`. */
const BEFORE_LETTER = /[.:](?=[a-z+])/gi;

/** Words that renderers make links of without any markup, even where their marks are escaped. */
const BECOMES_LINK = /:\/\/|www\.|@|^(?:mailto|xmpp|tel|javascript|data|file):/i;

/** Returns prose on one line. Words that could become links are set as code. */
export function inline(text: string): string {
  return shortened(oneLine(text), MAX_TEXT)
    .split(' ')
    .map((word) => (BECOMES_LINK.test(word) ? code(word) : escaped(word)))
    .join(' ');
}

function escaped(word: string): string {
  const start = AT_START.exec(word)?.[0];
  const rest = start ? word.slice(start.length) : word;
  const inner = rest
    .replaceAll(MARKS, (mark) => `\\${mark}`)
    .replaceAll(BEFORE_LETTER, (mark) => `\\${mark}`);
  return start ? `${start.slice(0, -1)}\\${start.slice(-1)}${inner}` : inner;
}

/** Returns text as a code span on one line, whatever backticks it has. */
export function code(text: string): string {
  const line = shortened(oneLine(text), MAX_CODE);
  if (line === '') return '` `';
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // A span may begin or end with a backtick only behind a space, which isn't shown.
  const pad = /^`|`$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Returns a link to one of our own pages. */
export function link(label: string, url: string): string {
  const address = url.replaceAll(/[\s<>()\\]/g, percent);
  return `[${inline(label)}](${address})`;
}

function percent(mark: string): string {
  return `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function oneLine(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, ' ').trim();
}

function shortened(text: string, limit: number): string {
  const characters = [...text];
  return characters.length > limit ? `${characters.slice(0, limit).join('')}…` : text;
}
