/** One kind of secret in text: what to look for, and what of a match stays readable. */
export interface Rule {
  /** Shown as `[redacted: kind]`. */
  kind: string;
  /** Global. Must not backtrack over more than a bounded stretch: texts may be megabytes. */
  pattern: RegExp;
  /** The replacement of a match; the marker alone where absent. Returns the match to spare it. */
  replace?: (match: RegExpExecArray, marker: string) => string;
}

export function marker(kind: string): string {
  return `[redacted: ${kind}]`;
}

const MARKERS = /(\[redacted: [a-z0-9 ]+\])/;

/** Applies `change` between markers only, so that a marker is never part of a match. */
export function mapOutsideMarkers(text: string, change: (part: string) => string): string {
  return text
    .split(MARKERS)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('');
}

export function applyRule(rule: Rule, text: string): string {
  // Nearly every text: no marker, no match. Splitting it would cost ten times as much.
  if (!text.includes('[redacted: ') && text.search(rule.pattern) === -1) return text;
  return mapOutsideMarkers(text, (part) => replaceMatches(rule, part));
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
