/** Takes attempts from a source and claims them, one at a time and only while a slot is free. */
import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '@/lib/platform/logger';
import type { MeResponse } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import type { ControlPlane } from './control-plane/client';
import { retryUntilDeadline } from './control-plane/retry-until-deadline';

/** Timeout of a claim; the control plane enqueues the attempt again if it is still waiting. */
export const CLAIM_MS = 20_000;
const SOURCE_RETRY_MS = 1_000;

/** Ends when the signal is aborted. An attempt that was claimed by then is still handed to `start`. */
async function claimLoop(options: {
  source: AttemptSource;
  controlPlane: Pick<ControlPlane, 'claim'>;
  slotIsFree(): Promise<void>;
  /** Nothing is on its way that may bring an attempt already claimed. */
  answered(): Promise<void>;
  /** A job may announce what is claimed already: a second claim would be answered like the first. */
  isHeld(attemptId: string): boolean;
  start(spec: AttemptSpec): void;
  signal: AbortSignal;
}): Promise<void> {
  const { source, signal } = options;
  while (!signal.aborted) {
    await options.slotIsFree();
    if (signal.aborted) return;
    const ticket = await source.next(signal).catch(async (error: unknown) => {
      logger.warn({ error: String(error) }, 'queue unavailable');
      await wait(SOURCE_RETRY_MS, undefined, { signal }).catch(() => {});
      return null;
    });
    if (ticket) await take(ticket);
  }

  async function claim(attemptId: string): Promise<void> {
    try {
      const call = () => options.controlPlane.claim(attemptId);
      const answer = await retryUntilDeadline(call, { forMs: CLAIM_MS, signal });
      if (answer.kind === 'claimed') options.start(answer.spec);
      else logger.info({ attemptId, reason: answer.reason }, 'claim refused');
    } catch (error) {
      logger.warn({ attemptId, error: String(error) }, 'claim failed');
    }
  }

  async function take(ticket: Ticket): Promise<void> {
    const { attemptId } = ticket;
    // The job of what follows often overtakes the answer that brings it.
    await options.answered();
    if (!signal.aborted && !options.isHeld(attemptId)) await claim(attemptId);
    // Whatever the outcome: the row is the source of truth, and a job that stays would only arrive again.
    await ticket.done().catch((error: unknown) => {
      logger.warn({ attemptId, error: String(error) }, 'failed to acknowledge job');
    });
  }
}

/** Starts and pauses the claiming of attempts: a drained runner finishes what it has. */
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

export function createClaimLoopController(options: {
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

/** Where attempt ids come from: the queue itself, or the control plane which asks it for us. */

export interface Ticket {
  attemptId: string;
  /** Takes the job off the queue. Called right after the claim, whatever that answered. */
  done(): Promise<void>;
}

export interface AttemptSource {
  /** The next attempt that waits; null when the signal was aborted first. */
  next(signal: AbortSignal): Promise<Ticket | null>;
  close(): Promise<void>;
}

/** While every slot is taken; the job of one that is dropped still arrives. */
const MAX_OFFERS = 50;

interface OfferedSource extends AttemptSource {
  offer(attemptId: string): void;
}

/**
 * Returns a source that also returns attempts named in a response of the control plane: a runner
 * that has just delivered a result need not wait for the job of the next attempt. The claim decides
 * as usual.
 */
export function withOffers(source: AttemptSource): OfferedSource {
  const offers: string[] = [];
  let onOffer: (() => void) | null = null;

  function takeOffer(): Ticket | null {
    const attemptId = offers.shift();
    // Its job isn't claimed yet; the source returns it later, when the attempt is held or gone.
    return attemptId === undefined ? null : { attemptId, done: async () => {} };
  }

  return {
    offer(attemptId) {
      if (offers.length < MAX_OFFERS) offers.push(attemptId);
      onOffer?.();
    },
    async next(signal) {
      const offered = takeOffer();
      if (offered) return offered;
      const leave = new AbortController();
      onOffer = () => leave.abort();
      try {
        const ticket = await source.next(AbortSignal.any([signal, leave.signal]));
        // One that came in the same moment goes first; the offer is there in the next turn.
        return ticket ?? (signal.aborted ? null : takeOffer());
      } finally {
        onOffer = null;
      }
    },
    close: () => source.close(),
  };
}
