import { byId, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Locks a pool until the transaction ends, so that its runners change one after another. */
export async function lockPool(db: TenantDb, poolId: string): Promise<void> {
  await rowsOf(db, byId('runnerPool', db.organizationId, poolId).select('id').forUpdate());
}

/** Returns the runner of a pool that is being updated; null if none is. */
export async function findUpdateTurn(db: TenantDb, poolId: string) {
  const row = await db.runner.findFirst({
    where: { poolId, updateStartedAt: { not: null } },
    select: { id: true, name: true, poolId: true, updateStartedAt: true, lastSeenAt: true },
  });
  return row?.updateStartedAt ? { ...row, updateStartedAt: row.updateStartedAt } : null;
}

export function listWaitingUpdates(db: TenantDb, poolId: string) {
  return db.runner.findMany({
    where: { poolId, updateRequestedAt: { not: null }, updateStartedAt: null },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
}

/** Returns the runners that an update can be requested for, of one pool if it is named. */
export function listUpdatable(db: TenantDb, pool: string | undefined) {
  return db.runner.findMany({
    where: {
      revokedAt: null,
      updateRequestedAt: null,
      ...(pool === undefined ? {} : { pool: { name: pool } }),
    },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      capabilities: true,
      updateRequestedAt: true,
      updateStartedAt: true,
      updateFailure: true,
      updateFailedAt: true,
    },
  });
}
