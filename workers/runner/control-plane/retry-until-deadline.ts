import { setTimeout as wait } from 'node:timers/promises';
import { isRetryable } from './failure';

const POLICY: BackoffPolicy = { firstMs: 200, maxMs: 5_000 };

/**
 * Repeats a call until it succeeds, is refused, or `forMs` have passed; the last failure is
 * thrown. Refusals are thrown at once. An abort ends the waiting.
 */
export async function retryUntilDeadline<T>(
  call: () => Promise<T>,
  options: { forMs: number; signal?: AbortSignal },
): Promise<T> {
  const until = Date.now() + options.forMs;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const delay = backoffMs(attempt, POLICY, Math.random());
      if (!isRetryable(error) || Date.now() + delay > until) throw error;
      await wait(delay, undefined, options.signal ? { signal: options.signal } : {});
    }
  }
}

interface BackoffPolicy {
  firstMs: number;
  maxMs: number;
}

/**
 * Delay before try number `attempt` + 1: doubled each time, then drawn from its upper half, so
 * that runners which lost the control plane together do not come back together.
 * `random` is in [0, 1).
 */
export function backoffMs(attempt: number, policy: BackoffPolicy, random: number): number {
  const full = Math.min(policy.maxMs, policy.firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(full / 2 + (full / 2) * random);
}
