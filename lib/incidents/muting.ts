/** Which incidents people expect, and so aren't notified of. */
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { openWindow } from '@/lib/projects/maintenance/window';
import type { ProjectConfig } from '@/lib/projects/schema';
import { presentServices } from './apply-event';
import type { Incident } from './incident';

type Windows = Pick<ProjectConfig, 'maintenance'>;
type Services = Pick<Incident, 'services'>;

/** Whether a maintenance window is open, or every failing service is snoozed. */
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
  const ids = presentServices(incident)
    .filter(({ status }) => status !== 'healthy')
    .map(({ serviceId }) => serviceId);
  if (ids.length === 0) return false;
  const snoozed = await db.service.count({
    where: { id: { in: ids }, snoozedUntil: { gt: now } },
  });
  return snoozed === ids.length;
}
