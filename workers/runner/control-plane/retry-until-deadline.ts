import { setTimeout as wait } from 'node:timers/promises';
import { type BackoffPolicy, backoffMs } from './backoff';
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
