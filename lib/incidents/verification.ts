/** How long everything has to be well, and how long checks may need to notice it. Pure. */
import type { IncidentSettings } from '@/lib/projects/monitoring-settings';
import type { Incident } from './incident';

/** How long checks may need to notice a fix, where an event doesn't say: in milliseconds. */
export const MIN_RECHECK_MS = 120_000;

/** From then on an incident counts as flapping. */
export const FLAPPING_REOPENINGS = 3;

/** Returns the milliseconds for which everything has to be well: twice as many for a flapping incident. */
export function verifyMsOf(
  { reopenings }: Pick<Incident, 'reopenings'>,
  { verifySeconds }: Pick<IncidentSettings, 'verifySeconds'>,
): number {
  return verifySeconds * 1_000 * (reopenings >= FLAPPING_REOPENINGS ? 2 : 1);
}

/**
 * Returns the milliseconds that checks may need to notice a fix.
 *
 * @param everySeconds the longest interval of the checks; null without checks
 */
export function recheckMsOf(everySeconds: number | null, failures: number): number {
  return Math.max(MIN_RECHECK_MS, (everySeconds ?? 0) * (failures + 1) * 1_000);
}
