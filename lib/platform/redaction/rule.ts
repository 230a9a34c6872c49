/** One kind of secret in text: what to look for, and what of a match stays readable. */
export interface Rule {
  /** Shown as `[redacted: kind]`. */
  kind: string;
  hint: Hint;
  /** Global. Must not backtrack over more than a bounded stretch: texts may be megabytes. */
  pattern: RegExp;
  /** The replacement of a match; the marker alone where absent. Returns the match to spare it. */
  replace?: (match: RegExpExecArray, marker: string) => string;
}

/**
 * Source of a pattern without groups that occurs wherever the rule matches, and is quick to search
 * for. Most texts contain no hint, so they are spared all other patterns. It begins with a letter
 * that no letter or digit precedes (`word`), with a sign (`sign`), or with anything (`any`: each of
 * these costs a search of its own).
 */
export type Hint = { word: string } | { sign: string } | { any: string };

/** Text between markers, and the markers, which no rule looks at. */
interface Part {
  text: string;
  isSuspect: boolean;
}

export function marker(kind: string): string {
  return `[redacted: ${kind}]`;
}

const MARKERS = /(\[redacted: [a-z0-9 ]+\])/;
const WORD_START = '(?<![A-Za-z0-9])';

/**
 * Returns a function that applies all rules to a text, each between markers only, so that a marker
 * is never part of a match.
 */
export function compileRules(rules: readonly Rule[]): (text: string) => string {
  const mayMatch = compileHints(rules.map(({ hint }) => hint));
  const compiled = rules.map((rule) => ({ ...rule, own: new RegExp(sourceOf(rule.hint)) }));
  const partsOf = (text: string): Part[] =>
    text
      .split(MARKERS)
      .map((part, index) => ({ text: part, isSuspect: index % 2 === 0 && mayMatch(part) }));

  return (text) => {
    if (!mayMatch(text)) return text;
    let parts = partsOf(text);
    for (const rule of compiled) {
      const apply = (part: Part) =>
        part.isSuspect && rule.own.test(part.text) ? replaceMatches(rule, part.text) : part.text;
      parts = changeParts(parts, apply, partsOf);
    }
    return parts.map((part) => part.text).join('');
  };
}

function sourceOf(hint: Hint): string {
  if ('any' in hint) return hint.any;
  return 'word' in hint ? `${WORD_START}(?:${hint.word})` : hint.sign;
}

function compileHints(hints: readonly Hint[]): (text: string) => boolean {
  const words = hints.flatMap((hint) => ('word' in hint ? hint.word : []));
  const signs = hints.flatMap((hint) => ('sign' in hint ? hint.sign : []));
  const patterns = [
    ...hints.flatMap((hint) => ('any' in hint ? new RegExp(hint.any) : [])),
    ...(words.length > 0 ? [new RegExp(`${WORD_START}(?:${words.join('|')})`)] : []),
    ...(signs.length > 0 ? [new RegExp(signs.join('|'))] : []),
  ];
  return (text) => patterns.some((pattern) => pattern.test(text));
}

function changeParts(
  parts: Part[],
  change: (part: Part) => string,
  partsOf: (text: string) => Part[],
): Part[] {
  let changed: Part[] | null = null;
  for (const [index, part] of parts.entries()) {
    const shown = change(part);
    if (shown !== part.text) changed ??= parts.slice(0, index);
    if (shown === part.text) changed?.push(part);
    else for (const piece of partsOf(shown)) changed?.push(piece);
  }
  return changed ?? parts;
}

function replaceMatches(rule: Rule, text: string): string {
  const shown = marker(rule.kind);
  let result = '';
  let copiedTo = 0;
  for (const match of text.matchAll(rule.pattern)) {
    result += text.slice(copiedTo, match.index);
    result += rule.replace ? rule.replace(match, shown) : shown;
    copiedTo = match.index + match[0].length;
  }
  return result + text.slice(copiedTo);
}

/**
 * In text that is encoded (JSON, URLs, colors of a terminal) a word may start right after the
 * letter or digit that ends an escape: `\nghp_…`, `%22ghp_…`, `\u001b[32mghp_…`. While patterns are
 * applied, such an end is replaced by a noncharacter, which is no letter and never occurs in text,
 * so that no pattern has to know about it.
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
