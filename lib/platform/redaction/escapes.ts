/**
 * In text that is encoded (JSON, URLs, colors of a terminal) a word may begin right behind the
 * letter or digit that ends an escape: `\nghp_…`, `%22ghp_…`, `\u001b[32mghp_…`. While patterns are
 * applied, such an end is replaced by a character that is no part of a word, so that no pattern
 * has to know about it. These are noncharacters, which no text has for itself.
 */
const ENDS = 'nrtm0123456789abcdefABCDEF';
const FIRST = 0xfdd0;

const ESCAPE =
  /(?:\u001b|\\(?:u001[bB]|x1[bB]|e|033))\[[0-9;]{0,12}m(?=[\w-])|\\(?:[nrtbf]|[ux][0-9a-fA-F]{2}(?:[0-9a-fA-F]{2})?)(?=[\w-])|%[0-9a-fA-F]{2}(?=[\w-])/g;
const HIDDEN = /[\uFDD0-\uFDEF]/g;

/** In a class of a pattern: every hidden end. */
export const anyEnd = '\\uFDD0-\\uFDEF';

/** In a class of a pattern: these letters or digits, hidden or not. */
export function ends(characters: string): string {
  return characters + [...characters].map(hide).join('');
}

export function hideEscapes(text: string): string {
  if (!/[\\%\u001b]/.test(text)) return text;
  return text
    .replace(HIDDEN, '\uFFFD')
    .replace(ESCAPE, (match) => match.slice(0, -1) + hide(match.slice(-1)));
}

export function showEscapes(text: string): string {
  return text.replace(HIDDEN, (hidden) => ENDS.charAt(hidden.charCodeAt(0) - FIRST));
}

function hide(end: string): string {
  return String.fromCharCode(FIRST + ENDS.indexOf(end));
}
