import type { Redactor } from './redactor';

/** A text that is published while it is being written. */
export interface GrowingText {
  add(text: string): void;
  /** What can be shown beyond what was taken before; `''` while the end is open. */
  take(): string;
}

/** Looking at a longer one as often as it grows costs more than seeing it grow is worth. */
const MAX_CHARACTERS = 40_000;

/**
 * Everything that was taken is, at any time, a beginning of the whole text as the redactor shows
 * it: a secret that comes in pieces is held back until it is whole, and then shown as its marker.
 */
export function growText(redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>): GrowingText {
  let whole = '';
  let looked = 0;
  let taken = '';

  return {
    add: (text) => void (whole += text),
    take() {
      if (whole.length > MAX_CHARACTERS) return '';
      const closed = /^[\s\S]*\s/.exec(whole)?.[0] ?? '';
      if (closed.length === looked) return '';
      looked = closed.length;
      if (redactor.hasOpenEnd(closed)) return '';
      const shown = redactor.text(closed);
      // Shown otherwise than before: nothing can be taken back, so the rest comes with the whole.
      if (!shown.startsWith(taken)) return '';
      const fresh = shown.slice(taken.length);
      taken = shown;
      return fresh;
    },
  };
}

/**
 * Whether the end of a text may still become part of a secret. The redactor itself is asked: where
 * one of these continuations changes how the text before it is shown, the end is open. Each closes
 * or continues a form that may contain spaces; all other forms end at a space.
 */
const VALUE = 'A1b2C3d4E5f6G7h8I9j0';
const PRIVATE_KEY = ['PRIVATE', 'KEY-----'];
const CONTINUATIONS = [
  // A quoted value, even if what is written so far is a number or a reference.
  `${VALUE}"`,
  `\n${VALUE}"`,
  `${VALUE}\\"`,
  `\n${VALUE}\\"`,
  `${VALUE}'`,
  // A placeholder in quotes is no secret, and its beginning looks like one.
  '>"',
  ">'",
  // Both lines of a private key, from each of their words on, and everything between them.
  `-----END ${PRIVATE_KEY.join(' ')}`,
  `${PRIVATE_KEY.join(' ')}\n${VALUE}`,
  `${PRIVATE_KEY[1]}\n${VALUE}`,
  `-----\n${VALUE}`,
  // What reads a secret that was echoed before, from each of its words on.
  '| sudo -S ',
  'sudo -S ',
  '-S ',
  '| chpasswd ',
  '| passwd --stdin ',
  'chpasswd ',
  'passwd --stdin ',
  '--stdin ',
  '--password-stdin ',
];

export function hasOpenEnd(
  text: string,
  by: { redact(text: string): string; mayBeginExactSecret(text: string): boolean },
): boolean {
  if (!/\s$/.test(text) || by.mayBeginExactSecret(text)) return true;
  const shown = by.redact(text);
  return CONTINUATIONS.some((next) => !by.redact(text + next).startsWith(shown));
}
