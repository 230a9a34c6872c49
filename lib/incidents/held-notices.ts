/** Notices that wait until nothing mutes their incident. Pure. */

import { type Incident, isActive } from './incident';
import type { IncidentNotice } from './states';

/** What people aren't notified of while they expect failures, but afterwards if it still holds. */
export const HELD_NOTICES = ['needs_human', 'verification_failed'] as const;
export type HeldNotice = (typeof HELD_NOTICES)[number];

export interface SortedNotices {
  due: IncidentNotice[];
  held: HeldNotice[];
}

/** Whether it matters for these notices that the incident is muted. */
export function dependOnMuting(
  held: readonly HeldNotice[],
  notices: readonly IncidentNotice[],
): boolean {
  return held.length > 0 || notices.some((notice) => notice === 'reopened' || isHeld(notice));
}

/**
 * Returns what people are notified of now, and what waits. Each is notified once of what they don't know:
 * that a verification succeeds whose end was never reported is no news.
 *
 * @param held what has waited so far
 * @param incident as it is now
 * @param notices what happens now
 */
export function sortNotices(
  held: readonly HeldNotice[],
  incident: Incident,
  notices: readonly IncidentNotice[],
  isMuted: boolean,
): SortedNotices {
  if (!isActive(incident)) {
    const isKnown = held.includes('verification_failed');
    return { due: notices.filter((notice) => !(isKnown && notice === 'verifying')), held: [] };
  }
  const isNeeded = incident.state === 'open' && incident.needsHuman !== null;
  const waiting = HELD_NOTICES.filter(
    (notice) =>
      notices.includes(notice) || (held.includes(notice) && (notice !== 'needs_human' || isNeeded)),
  );
  const others = notices.filter((notice) => !isHeld(notice));
  return isMuted ? { due: others, held: waiting } : { due: [...others, ...waiting], held: [] };
}

function isHeld(notice: IncidentNotice): notice is HeldNotice {
  return HELD_NOTICES.some((held) => held === notice);
}
