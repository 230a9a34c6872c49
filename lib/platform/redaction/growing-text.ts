import type { Redactor } from './redactor';

/** A text that is told while it is being written. */
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
