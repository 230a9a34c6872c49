/** Takes attempts from a source and claims them, one at a time and only while a slot is free. */
import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '@/lib/platform/logger';
import type { AttemptSpec } from '@/lib/protocol/spec';
import type { AttemptSource, Ticket } from './attempt-source';
import type { ControlPlane } from './control-plane/client';
import { retryUntilDeadline } from './control-plane/retry-until-deadline';

/** Timeout of a claim; the control plane enqueues the attempt again if it is still waiting. */
export const CLAIM_MS = 20_000;
const SOURCE_RETRY_MS = 1_000;

/** Ends when the signal is aborted. An attempt that was claimed by then is still handed to `start`. */
export async function claimLoop(options: {
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
