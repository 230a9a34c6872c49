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
  const shown = marker(rule.kind);
  return mapOutsideMarkers(text, (part) => {
    let result = '';
    let copiedTo = 0;
    for (const match of part.matchAll(rule.pattern)) {
      result += part.slice(copiedTo, match.index);
      result += rule.replace ? rule.replace(match, shown) : shown;
      copiedTo = match.index + match[0].length;
    }
    return result + part.slice(copiedTo);
  });
}
