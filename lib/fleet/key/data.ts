import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Good besides the present key until it takes its place. */
export async function storeNextKey(db: TenantDb, runnerId: string, keyHash: string): Promise<void> {
  await db.runner.updateMany({ where: { id: runnerId }, data: { nextKeyHash: keyHash } });
}

/** False when `keyHash` is not the one that waits to be confirmed. */
export async function promoteKey(
  db: TenantDb,
  runnerId: string,
  keyHash: string,
  now: Date,
): Promise<boolean> {
  const { count } = await db.runner.updateMany({
    where: { id: runnerId, nextKeyHash: keyHash },
    data: { keyHash, nextKeyHash: null, keyChangedAt: now, rotationRequestedAt: null },
  });
  return count > 0;
}
