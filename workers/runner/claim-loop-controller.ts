/** Starts and pauses the taking of attempts: a drained runner finishes what it has. */

import type { MeResponse } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import type { AttemptSource } from './attempt-source';
import { claimLoop } from './claim-loop';
import type { ControlPlane } from './control-plane/client';
import { type OfferedSource, withOffers } from './offered-source';

interface ClaimLoopController {
  readonly isPaused: boolean;
  /** Neither paused nor closed, and its queues are known. */
  readonly isOpen: boolean;
  /** Resolves when nothing more is started until it resumes. */
  pause(): Promise<void>;
  resume(me: MeResponse): void;
  /** An attempt that may be claimed before its job arrives. Nothing while paused. */
  offer(attemptId: string): void;
  /** Resolves when nothing more can be started. */
  close(): Promise<void>;
}

export function createTakingSwitch(options: {
  openSource(me: MeResponse): AttemptSource;
  controlPlane: Pick<ControlPlane, 'claim'>;
  slotIsFree(): Promise<void>;
  answered(): Promise<void>;
  isHeld(attemptId: string): boolean;
  start(spec: AttemptSpec): void;
}): ClaimLoopController {
  let taking: { abort: AbortController; ended: Promise<void> } | null = null;
  let ending: Promise<void> = Promise.resolve();
  let source: OfferedSource | null = null;
  let isPaused = false;
  let isClosed = false;

  async function take(me: MeResponse, signal: AbortSignal): Promise<void> {
    await ending;
    const opened = withOffers(options.openSource(me));
    source = opened;
    const stopped = aborted(signal);
    // A slot may never become free, and a paused runner must not wait for it.
    const slotIsFree = () => Promise.race([options.slotIsFree(), stopped]);
    await claimLoop({ ...options, source: opened, slotIsFree, signal });
    source = null;
    await opened.close();
  }

  function pause(): Promise<void> {
    isPaused = true;
    taking?.abort.abort();
    if (taking) ending = taking.ended;
    taking = null;
    return ending;
  }

  return {
    get isPaused() {
      return isPaused;
    },
    get isOpen() {
      return taking !== null;
    },
    pause,
    resume(me) {
      if (isClosed || taking) return;
      isPaused = false;
      const abort = new AbortController();
      taking = { abort, ended: take(me, abort.signal) };
    },
    offer: (attemptId) => source?.offer(attemptId),
    async close() {
      isClosed = true;
      await pause();
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
