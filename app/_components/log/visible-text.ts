/** A run of plain text, a character made visible, or something that was redacted. */
export type VisiblePart =
  | { type: 'text'; text: string }
  | { type: 'mark'; mark: string; name: string }
  | { type: 'redacted'; what: string };

const NAMES: Record<number, string> = {
  0xad: 'soft hyphen',
  0x61c: 'Arabic letter mark',
  0x180e: 'Mongolian vowel separator',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'pop directional formatting',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x2069: 'pop directional isolate',
  0xfeff: 'byte order mark',
};

const HIDDEN =
  /\[redacted: ([^\]\n]{1,80})\]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * Splits text of a system or an agent so that nothing in it stays unseen: what would act on the
 * terminal or turn the reading direction becomes a mark, `[redacted: kind]` a part of its own.
 */
export function visibleParts(text: string): VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ type: 'text', text: text.slice(from, match.index) });
    from = match.index + match[0].length;
    parts.push(match[1] === undefined ? markOf(match[0]) : { type: 'redacted', what: match[1] });
  }
  if (from < text.length) parts.push({ type: 'text', text: text.slice(from) });
  return parts;
}

function markOf(character: string): VisiblePart {
  const code = character.codePointAt(0) ?? 0;
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (code < 0x20) return { type: 'mark', mark: String.fromCodePoint(0x2400 + code), name: hex };
  if (code === 0x7f) return { type: 'mark', mark: '␡', name: hex };
  return { type: 'mark', mark: hex, name: NAMES[code] ?? 'control character' };
}
