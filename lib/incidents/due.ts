/** When the sweep looks at an incident. Pure. */
import type { Incident } from './incident';
import type { IncidentRecord } from './incident-rows';

/** Between two tries of something that waits: as long as it has been due, within these bounds. */
const SHORTEST_RETRY_MS = 5_000;
export const LONGEST_RETRY_MS = 60_000;

type Waiting = Incident & Pick<IncidentRecord, 'announcedAt' | 'heldNotices'>;

/** The moments at which something is to happen. What is past waits for something else. */
function momentsOf(incident: Waiting, verifyMs: number): Date[] {
  if (incident.state === 'resolved') return [];
  const silentUntil = incident.silence?.endsAt ?? null;
  if (incident.state === 'verifying') {
    const end = new Date(incident.verifyingSince.getTime() + verifyMs);
    return [end, silentUntil].filter((at) => at !== null);
  }
  const { openedAt, lastReopenedAt, announcedAt, heldNotices, needsHuman } = incident;
  const isUnannounced = announcedAt === null && incident.silence === null;
  const isWaiting = isUnannounced || heldNotices.length > 0 || needsHuman?.unproven;
  const moments = [
    incident.state === 'open' ? incident.lookDueAt : incident.acknowledgement.endsAt,
    incident.humanDueAt,
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
