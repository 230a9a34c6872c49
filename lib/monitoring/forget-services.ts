import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { clearServiceStates, listRemovedSince } from '@/lib/projects/service-rows';
import type { CheckRow } from './check-data';

/**
 * Makes services unknown that have lost all of their checks.
 *
 * @param past the project's checks before its configuration changed
 * @param checks those since
 * @param version of the configuration that `past` is from; null: there was none
 * @returns UUIDs of these services, and of those that the project has lost since that version
 */
export async function forgetServices(
  db: TenantDb,
  organizationId: OrganizationId,
  { projectId, version }: { projectId: string; version: number | null },
  past: readonly Pick<CheckRow, 'serviceId'>[],
  checks: readonly Pick<CheckRow, 'serviceId'>[],
  now: Date,
): Promise<string[]> {
  const checked = new Set(checks.map(({ serviceId }) => serviceId));
  const lost = past.flatMap(({ serviceId }) => (checked.has(serviceId) ? [] : serviceId));
  await clearServiceStates(db, lost, now);
  const removed = await listRemovedSince(db, organizationId, projectId, version);
  return [...new Set([...lost, ...removed])];
}
