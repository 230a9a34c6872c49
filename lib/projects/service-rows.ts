import { Prisma } from '@/generated/prisma/client';
import { executeRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
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
  organizationId: OrganizationId,
  states: readonly ServiceState[],
  now: Date,
): Promise<void> {
  if (states.length === 0) return;
  await executeRaw(
    db,
    Prisma.sql`update service s set status = t.status, failing_since = t."failingSince",
        last_error = t.error, last_checked_at = t."lastCheckedAt",
        status_since = case when s.status = t.status then s.status_since else ${now}::timestamptz end
      from jsonb_to_recordset(${JSON.stringify(states)}::jsonb) as t(
        id uuid, status text, "failingSince" timestamptz, error text, "lastCheckedAt" timestamptz)
      where s.organization_id = ${organizationId}::uuid and s.id = t.id
        and (s.status, s.failing_since, s.last_error, s.last_checked_at)
          is distinct from (t.status, t."failingSince", t.error, t."lastCheckedAt")`,
  );
}

/** Returns the UUIDs of the services that a project no longer has. */
export async function listRemovedServices(db: TenantDb, projectId: string): Promise<string[]> {
  const rows = await db.service.findMany({
    where: { projectId, removedAt: { not: null } },
    select: { id: true },
  });
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
