/**
 * Claims attempts by long polling, for hosts that can only reach the web address. The control plane
 * acknowledges the queue's jobs, so there is no job to acknowledge here.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { logger } from '@/lib/platform/logger';
import type { AttemptSource } from './claim-loop';
import type { ControlPlane } from './control-plane/client';
import { backoffMs } from './control-plane/retry-until-deadline';

const RETRY = { firstMs: 250, maxMs: 5_000 };
/** "None" sooner than this was not held: the control plane is going down. */
const HELD_MS = 1_000;

export function openHttpsSource(controlPlane: Pick<ControlPlane, 'nextAttempt'>): AttemptSource {
  const closing = new AbortController();
  let failures = 0;

  async function ask(signal: AbortSignal): Promise<string | null> {
    const askedAt = Date.now();
    try {
      const attemptId = await controlPlane.nextAttempt(signal);
      const wasHeld = attemptId !== null || Date.now() - askedAt > HELD_MS;
      failures = wasHeld ? 0 : failures + 1;
      return attemptId;
    } catch (error) {
      if (signal.aborted) return null;
      if (failures === 0) logger.warn({ error: String(error) }, 'asking for attempts failed');
      failures += 1;
      return null;
    }
  }

  return {
    async next(given) {
      const signal = AbortSignal.any([given, closing.signal]);
      while (!signal.aborted) {
        const attemptId = await ask(signal);
        if (attemptId !== null) return { attemptId, done: async () => {} };
        if (failures === 0) continue;
        const delayMs = backoffMs(failures - 1, RETRY, Math.random());
        await wait(delayMs, undefined, { signal }).catch(() => {});
      }
      return null;
    },
    async close() {
      closing.abort();
    },
  };
}
