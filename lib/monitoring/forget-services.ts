import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { clearServiceStates, listRemovedServices } from '@/lib/projects/service-rows';
import type { CheckRow } from './check-data';

/**
 * Makes services unknown that have lost all of their checks.
 *
 * @param past the project's checks before its configuration changed
 * @param checks those since
 * @returns UUIDs of these services, and of all that were removed from the project
 */
export async function forgetServices(
  db: TenantDb,
  projectId: string,
  past: readonly Pick<CheckRow, 'serviceId'>[],
  checks: readonly Pick<CheckRow, 'serviceId'>[],
  now: Date,
): Promise<string[]> {
  const checked = new Set(checks.map(({ serviceId }) => serviceId));
  const lost = past.flatMap(({ serviceId }) => (checked.has(serviceId) ? [] : serviceId));
  await clearServiceStates(db, lost, now);
  return [...new Set([...lost, ...(await listRemovedServices(db, projectId))])];
}
