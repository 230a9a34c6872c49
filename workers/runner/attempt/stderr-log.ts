/**
 * stderr of an attempt: sent in events as it arrives, up to a limit, with the tail kept for the
 * result. Lines that arrive together stay together, so that a multi-line secret is seen whole.
 */
const FLUSH_MS = 50;
const MAX_EVENT_CHARACTERS = 16_000;
const MAX_REPORTED_CHARACTERS = 256_000;
const TAIL_CHARACTERS = 16_000;

export interface StderrLog {
  push(chunk: Buffer): void;
  /** Sends what is still held back and returns the tail of the output. */
  end(): string;
}

export function createStderrLog(
  redact: (text: string) => string,
  onText: (text: string) => void,
): StderrLog {
  const decoder = new TextDecoder();
  let held = '';
  let tail = '';
  let reported = 0;
  let timer: NodeJS.Timeout | null = null;

  function tell(text: string): void {
    const left = MAX_REPORTED_CHARACTERS - reported;
    if (text === '' || left <= 0) return;
    reported += text.length;
    onText(text.length > left ? `${text.slice(0, left)}\n[the rest of stderr is left out]` : text);
  }

  /** Flushes up to the last complete line, or everything. */
  function flush(isAll: boolean): void {
    if (timer) clearTimeout(timer);
    timer = null;
    const isLong = held.length > MAX_EVENT_CHARACTERS;
    const end = isAll || isLong ? held.length : held.lastIndexOf('\n') + 1;
    // Before it is cut into events, which may fall into a secret.
    const text = redact(held.slice(0, end));
    held = held.slice(end);
    for (let from = 0; from < text.length; from += MAX_EVENT_CHARACTERS) {
      tell(text.slice(from, from + MAX_EVENT_CHARACTERS));
    }
  }

  return {
    push(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      held += text;
      // Four times what is needed: the cut may fall into a secret, which is then not recognised.
      tail = (tail + text).slice(-4 * TAIL_CHARACTERS);
      if (held.length > MAX_EVENT_CHARACTERS) flush(false);
      else timer ??= setTimeout(() => flush(false), FLUSH_MS);
    },
    end() {
      flush(true);
      return redact(tail).slice(-TAIL_CHARACTERS);
    },
  };
}
