/** What the end of a verification proves. */
import { countUnproven, listCheckedServices } from '@/lib/monitoring/checker-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceIdsOf } from './alerts-of-incident';
import { type Incident, type IncidentEvent, presentServices } from './incident';

/**
 * Returns how an incident ends whose verification is over; null if its checks haven't passed after it
 * yet, because time without results proves nothing. Alerts without any check are taken at their word, and
 * the event says so.
 */
export async function endOfVerification(
  db: TenantDb,
  incident: Pick<Incident, 'services' | 'alerts' | 'verifyingSince'>,
  verifyMs: number,
): Promise<IncidentEvent | null> {
  const end = new Date((incident.verifyingSince?.getTime() ?? 0) + verifyMs);
  const ids = serviceIdsOf({ ...incident, services: presentServices(incident) });
  if ((await countUnproven(db, ids, end)) > 0) return null;
  const isReported = incident.alerts !== null && (await listCheckedServices(db, ids)).size === 0;
  return { kind: isReported ? 'alerts_quiet' : 'verified' };
}
