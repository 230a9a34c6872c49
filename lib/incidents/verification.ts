/** How long everything has to be well. Pure. */
import type { IncidentSettings } from '@/lib/projects/monitoring-settings';
import type { Incident } from './incident';

/** From then on an incident counts as flapping. */
export const FLAPPING_REOPENINGS = 3;

/** Returns the milliseconds for which everything has to be well: twice as many for a flapping incident. */
export function verifyMsOf(
  { reopenings }: Pick<Incident, 'reopenings'>,
  { verifySeconds }: Pick<IncidentSettings, 'verifySeconds'>,
): number {
  return verifySeconds * 1_000 * (reopenings >= FLAPPING_REOPENINGS ? 2 : 1);
}
