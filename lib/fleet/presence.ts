import { RUNNER_API } from '@/lib/platform/health';
import { findPresence } from './data';

/**
 * Returns whether the runner API has answered without a gap for this long, and still does. Only then does
 * the absence of a message say something about a runner.
 */
export async function hasAnsweredFor(seconds: number, now: Date): Promise<boolean> {
  const presence = await findPresence(RUNNER_API);
  const isOlder = (at: Date) => now.getTime() - at.getTime() > seconds * 1_000;
  return presence !== null && isOlder(presence.continuousSince) && !isOlder(presence.lastAt);
}
