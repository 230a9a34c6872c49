import { whenClosing } from '@/lib/platform/closing';
import { HOLD_SECONDS } from '@/lib/protocol/schema';

export interface Hold {
  /** Aborted when the time is over, the client has gone, or this process ends. */
  signal: AbortSignal;
  release(): void;
}

/** A request of a runner that is held open; `gone` is the request's own signal. */
export function openHold(gone: AbortSignal, seconds = HOLD_SECONDS): Hold {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, seconds * 1_000);
  const stopListening = whenClosing(end);
  gone.addEventListener('abort', end, { once: true });
  if (gone.aborted) end();
  return {
    signal: over.signal,
    release() {
      clearTimeout(timer);
      stopListening();
      gone.removeEventListener('abort', end);
    },
  };
}
