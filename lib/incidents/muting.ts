/** Which incidents people expect, and so aren't notified of. */
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { openWindow } from '@/lib/projects/maintenance/window';
import type { ProjectConfig } from '@/lib/projects/schema';
import { type Incident, presentServices } from './incident';

type Windows = Pick<ProjectConfig, 'maintenance'>;
type Services = Pick<Incident, 'services' | 'alerts'>;

/** Whether a maintenance window is open, or every service that fails, or that an alert is about, is snoozed. */
export async function isMuted(
  db: TenantDb,
  incident: Services,
  { maintenance }: Windows,
  now: Date,
): Promise<boolean> {
  return openWindow(maintenance, now) !== null || (await isSnoozed(db, incident, now));
}

/** Whether the agent isn't to look yet: a window lets nothing start, or every failing service is snoozed. */
export async function isLookHeld(
  db: TenantDb,
  incident: Services,
  { maintenance }: Windows,
  now: Date,
): Promise<boolean> {
  return (
    openWindow(maintenance, now)?.effect === 'no_cycles' || (await isSnoozed(db, incident, now))
  );
}

async function isSnoozed(db: TenantDb, incident: Services, now: Date): Promise<boolean> {
  const failing = presentServices(incident).filter(({ status }) => status !== 'healthy');
  const firing = incident.alerts?.firing ?? { serviceIds: [], hasOther: false };
  const named = [...failing.map(({ serviceId }) => serviceId), ...firing.serviceIds];
  const ids = [...new Set(named)];
  if (ids.length === 0 || firing.hasOther) return false;
  const snoozed = await db.service.count({
    where: { id: { in: ids }, snoozedUntil: { gt: now } },
  });
  return snoozed === ids.length;
}
