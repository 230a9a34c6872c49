/** A part of a session's log, by event and by character, so that every part of it can be read. */

/** Of one result. As JSON, a character can take two. */
export const MAX_LOG_CHARS = 18_000;

interface LoggedEvent {
  /** Sequence number. */
  seq: number;
  /** As lines of a text file. */
  text: string;
}

export interface LogWindow {
  text: string;
  firstEvent: number | null;
  lastEvent: number | null;
  /** Where the rest begins; null if every given event is in the text. */
  next: { event: number; offset: number } | null;
}

/**
 * Returns the text of as many events as fit. One that doesn't fit stays whole for the next window,
 * unless it is the first: then it is cut, and the next window continues inside.
 *
 * @param offset characters of the first event to leave out
 */
export function logWindow(
  events: readonly LoggedEvent[],
  offset: number,
  maxChars = MAX_LOG_CHARS,
): LogWindow {
  const [first, ...others] = events;
  if (!first) return { text: '', firstEvent: null, lastEvent: null, next: null };
  const rest = first.text.slice(offset);
  if (rest.length > maxChars) {
    const text = rest.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
    const next = { event: first.seq, offset: offset + text.length };
    return { text, firstEvent: first.seq, lastEvent: first.seq, next };
  }
  let text = rest;
  let last = first;
  for (const event of others) {
    if (text.length + event.text.length > maxChars) {
      const next = { event: event.seq, offset: 0 };
      return { text, firstEvent: first.seq, lastEvent: last.seq, next };
    }
    text += event.text;
    last = event;
  }
  return { text, firstEvent: first.seq, lastEvent: last.seq, next: null };
}
