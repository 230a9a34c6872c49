/** Starts and pauses the taking of attempts: a drained runner goes on with what it has. */
import type { MeResponse } from '@/lib/runner-protocol/schema';
import type { AttemptSpec } from '@/lib/runner-protocol/spec';
import type { AttemptSource } from './attempt-source';
import type { ControlPlane } from './control-plane/client';
import { takeAttempts } from './taking';

export interface TakingSwitch {
  readonly isPaused: boolean;
  pause(): void;
  resume(me: MeResponse): void;
  /** Resolves when nothing more can be started. */
  close(): Promise<void>;
}

export function createTakingSwitch(options: {
  openSource(me: MeResponse): AttemptSource;
  controlPlane: Pick<ControlPlane, 'claim'>;
  slotIsFree(): Promise<void>;
  start(spec: AttemptSpec): void;
}): TakingSwitch {
  let taking: { abort: AbortController; ended: Promise<void> } | null = null;
  let ending: Promise<void> = Promise.resolve();
  let isPaused = false;
  let isClosed = false;

  async function take(me: MeResponse, signal: AbortSignal): Promise<void> {
    await ending;
    const source = options.openSource(me);
    const stopped = aborted(signal);
    // A slot may never become free, and a paused runner must not wait for it.
    const slotIsFree = () => Promise.race([options.slotIsFree(), stopped]);
    await takeAttempts({ ...options, source, slotIsFree, signal });
    await source.close();
  }

  function pause(): void {
    isPaused = true;
    taking?.abort.abort();
    if (taking) ending = taking.ended;
    taking = null;
  }

  return {
    get isPaused() {
      return isPaused;
    },
    pause,
    resume(me) {
      if (isClosed || taking) return;
      isPaused = false;
      const abort = new AbortController();
      taking = { abort, ended: take(me, abort.signal) };
    },
    async close() {
      isClosed = true;
      pause();
      await ending;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
