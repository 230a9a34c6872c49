import { PRESENCE_GAP_SECONDS, RUNNER_API } from '@/lib/platform/health';
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

/** The presence is recorded every few seconds; one that is older means that nobody answers now. */
const FRESH_MS = 2 * PRESENCE_GAP_SECONDS * 1_000;

/** Returns since when the web processes have answered without a gap; null if none does now. */
export async function answeringSince(now: Date): Promise<Date | null> {
  const presence = await findPresence(RUNNER_API);
  if (presence === null) return null;
  const isFresh = now.getTime() - presence.lastAt.getTime() <= FRESH_MS;
  return isFresh ? presence.continuousSince : null;
}
