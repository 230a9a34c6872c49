import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { env } from '@/lib/platform/env';
import { LimitExceededError } from '@/lib/platform/errors';

// On globalThis, since Next loads a module once per bundle.
const held = globalThis as unknown as { tierwatchRunnerQuota?: Record<Unit, RateLimiterMemory> };
type Unit = 'requests' | 'bytes';

function quotas(): Record<Unit, RateLimiterMemory> {
  const { runnerRequestsPerMinute, runnerBytesPerMinute } = env();
  held.tierwatchRunnerQuota ??= {
    requests: new RateLimiterMemory({ points: runnerRequestsPerMinute, duration: 60 }),
    bytes: new RateLimiterMemory({ points: runnerBytesPerMinute, duration: 60 }),
  };
  return held.tierwatchRunnerQuota;
}

/**
 * Counts a request of a runner, and the bytes of its body. A refused one may be repeated: runners
 * keep what they couldn't deliver. Counted per web process, and requests per path, so that a flood of
 * events can't keep a heartbeat out.
 *
 * @throws LimitExceededError with the seconds to wait
 */
export async function consumeRunnerQuota(
  runnerId: string,
  use: { path: string } | { bytes: number },
): Promise<void> {
  try {
    if ('bytes' in use) await quotas().bytes.consume(runnerId, use.bytes);
    else await quotas().requests.consume(`${runnerId} ${use.path}`);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1_000));
    throw new LimitExceededError(
      `This runner sends more than its quota. Send the same again in ${seconds} s.`,
      seconds,
    );
  }
}
