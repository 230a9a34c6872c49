/** When the sweep looks at an incident. Pure. */
import type { StoredIncident } from './incident-rows';
import { isActive } from './transitions';

/** Between two tries of something that waits: as long as it has been due, within these bounds. */
const SHORTEST_RETRY_MS = 5_000;
export const LONGEST_RETRY_MS = 60_000;

type Waiting = Pick<
  StoredIncident,
  | 'state'
  | 'openedAt'
  | 'lastReopenedAt'
  | 'acknowledgement'
  | 'silence'
  | 'verifyingSince'
  | 'lookDueAt'
  | 'humanDueAt'
  | 'announcedAt'
  | 'heldNotices'
  | 'unproven'
>;

/** The moments at which something is to happen. What is past waits for something else. */
function momentsOf(incident: Waiting, verifyMs: number): Date[] {
  const { acknowledgement, silence, verifyingSince, lookDueAt, humanDueAt } = incident;
  const { openedAt, lastReopenedAt, announcedAt, heldNotices, unproven } = incident;
  const silentUntil = silence?.endsAt ?? null;
  const isUnannounced = announcedAt === null && silence === null;
  const isWaiting = isUnannounced || heldNotices.length > 0 || unproven !== null;
  if (incident.state === 'verifying') {
    const end = verifyingSince && new Date(verifyingSince.getTime() + verifyMs);
    return [end, silentUntil].filter((at) => at !== null);
  }
  if (!isActive(incident)) return [];
  const moments = [
    acknowledgement ? acknowledgement.endsAt : lookDueAt,
    humanDueAt,
    silentUntil,
    isWaiting ? (lastReopenedAt ?? openedAt) : null,
  ];
  return moments.filter((at) => at !== null);
}

/**
 * Returns when something is to happen in an incident; null if nothing is.
 *
 * @param verifyMs how long it is verified, in milliseconds
 */
export function dueAtOf(incident: Waiting, verifyMs: number): Date | null {
  return earliest(momentsOf(incident, verifyMs));
}

/** Returns the same after a try at `now`: what was due and still is, is tried again later. */
export function nextTryAt(incident: Waiting, verifyMs: number, now: Date): Date | null {
  const tries = momentsOf(incident, verifyMs).map((at) => {
    const waited = now.getTime() - at.getTime();
    if (waited < 0) return at;
    const pause = Math.min(Math.max(waited, SHORTEST_RETRY_MS), LONGEST_RETRY_MS);
    return new Date(now.getTime() + pause);
  });
  return earliest(tries);
}

function earliest(times: readonly Date[]): Date | null {
  return times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())));
}
