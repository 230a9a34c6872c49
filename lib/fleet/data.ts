import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

export async function insertRunner(
  db: TenantDb,
  organizationId: OrganizationId,
  runner: {
    poolId: string;
    name: string;
    keyHash: string;
    allowedTiers: number[];
    slotLimit?: number | null;
  },
): Promise<string> {
  const row = await db.runner.create({ data: { organizationId, ...runner }, select: { id: true } });
  return row.id;
}

export async function findRunnerByName(db: TenantDb, name: string) {
  return db.runner.findFirst({ where: { name }, select: { id: true } });
}

export async function replaceRunnerKey(
  db: TenantDb,
  runnerId: string,
  keyHash: string,
): Promise<void> {
  await db.runner.updateMany({ where: { id: runnerId }, data: { keyHash } });
}
