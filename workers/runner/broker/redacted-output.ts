import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from '@/lib/platform/redaction/redactor';

/** Output that waits for its line to end, or for a secret to be complete. */
const MAX_HELD = 256_000;
/** Of one stream of a command; more is left out. */
const MAX_BYTES = 10_000_000;
/** Where a secret may begin that isn't complete yet, also in what was passed on before. */
const CONTEXT_CHARACTERS = 8_000;

/**
 * Passes a command's output on without secrets. Complete lines are passed at once. An incomplete line is
 * held back, because it may turn out to contain a secret.
 */
export function redactedOutput(redactor: Pick<Redactor, 'text' | 'hasOpenEnd'>): Transform {
  const decoder = new StringDecoder('utf8');
  let context = '';
  let held = '';
  let bytes = 0;

  /** Shows text as it is shown behind what came before: the rest of a secret may be none by itself. */
  function shown(text: string): string {
    const before = redactor.text(context);
    const whole = redactor.text(context + text);
    context = (context + text).slice(-CONTEXT_CHARACTERS);
    return whole.startsWith(before) ? whole.slice(before.length) : redactor.text(text);
  }

  function closed(): string {
    const end = held.lastIndexOf('\n') + 1;
    const lines = held.slice(0, end);
    const isOpen =
      lines.length < MAX_HELD && redactor.hasOpenEnd((context + lines).slice(-CONTEXT_CHARACTERS));
    if (lines === '' || isOpen) return '';
    held = held.slice(end);
    return lines;
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) {
        done();
        return;
      }
      held += decoder.write(chunk);
      const lines = held.length > MAX_HELD ? held : closed();
      if (lines === held) held = '';
      done(null, lines === '' ? undefined : shown(lines));
    },
    flush(done) {
      held += decoder.end();
      const rest = held === '' ? '' : shown(held);
      const missing = bytes - MAX_BYTES;
      const note = missing > 0 ? `\n[tierwatch: ${missing} bytes of output left out]\n` : '';
      done(null, rest + note === '' ? undefined : rest + note);
    },
  });
}
