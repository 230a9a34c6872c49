import { sqlChanges, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { SERVICE_STATUSES } from '@/lib/protocol/spec';

/** Returns the services of the current configuration with their states. */
export function listServiceStates(db: TenantDb, projectId: string) {
  return db.service.findMany({
    where: { projectId, removedAt: null },
    orderBy: { position: 'asc' },
    select: { id: true, name: true, status: true },
  });
}

export interface ServiceState {
  id: string;
  status: (typeof SERVICE_STATUSES)[number];
  /** The first failed check of the outage; null unless it fails. */
  failingSince: Date | null;
  error: string;
  lastCheckedAt: Date | null;
}

/** Stores the states of services. Rows that wouldn't change aren't written. */
export async function saveServiceStates(
  db: TenantDb,
  states: readonly ServiceState[],
  now: Date,
): Promise<void> {
  if (states.length === 0) return;
  await sqlChanges(db)`update service s set status = t.status, failing_since = t."failingSince",
        last_error = t.error, last_checked_at = t."lastCheckedAt",
        status_since = case when s.status = t.status then s.status_since else ${now}::timestamptz end
      from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as t(
        id uuid, status text, "failingSince" timestamptz, error text, "lastCheckedAt" timestamptz)
      where s.organization_id = ${db.organizationId}::uuid and s.id = t.id
        and (s.status, s.failing_since, s.last_error, s.last_checked_at)
          is distinct from (t.status, t."failingSince", t.error, t."lastCheckedAt")`;
}

/**
 * Returns the UUIDs of the services that a project had in a version of its configuration or in a later one,
 * and no longer has.
 *
 * @param version null: in any version
 */
export async function listRemovedSince(
  db: TenantDb,
  projectId: string,
  version: number | null,
): Promise<string[]> {
  const rows = await sqlRows(db)<{ id: string }>`select s.id from service s
      where s.organization_id = ${db.organizationId}::uuid and s.project_id = ${projectId}::uuid
        and s.removed_at is not null and exists (
          select from project_version v, jsonb_array_elements(v.config->'services') e
          where v.organization_id = s.organization_id and v.project_id = s.project_id
            and v.version >= ${version ?? 0}::int and e->>'name' = s.name)
      order by s.id`;
  return rows.map(({ id }) => id);
}

/** Makes services unknown that nothing checks from now on. Ids are UUIDs. */
export async function clearServiceStates(
  db: TenantDb,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await db.service.updateMany({
    where: { id: { in: [...ids] }, status: { not: 'unknown' } },
    data: { status: 'unknown', statusSince: now, failingSince: null, lastError: '' },
  });
}
