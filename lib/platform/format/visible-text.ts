/**
 * Characters that act on a terminal, turn the reading direction or can't be seen. Joiners stay:
 * emoji and some scripts are written with them.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;
const EACH = new RegExp(HIDDEN, 'g');

/**
 * Text of people, systems or agents, safe to print and to show: ESC becomes `␛`, a right-to-left
 * override `<U+202E>`. Tabs and line breaks stay.
 */
export function visibleText(text: string): string {
  if (!hasHidden(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(EACH, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}

/** The same text without such characters, for messages to other systems. Line breaks stay, as `\n`. */
export function withoutHidden(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(EACH, '');
}

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** The same as `\u` escapes, for quoted strings of JSON and YAML: they parse to the same value. */
export function escapeHidden(quoted: string): string {
  return quoted.replace(EACH, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** The same text on one line, without such characters. It is never longer than the text. */
export function onOneLine(text: string): string {
  return withoutHidden(text).replace(/\s+/g, ' ').trim();
}
