import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

/** Its pool, and the token that let it in. */
export const WITH_POOL_AND_TOKEN = {
  pool: { select: { name: true } },
  tokens: { select: { id: true }, take: 1 },
} as const;

export async function getRunnerRow(db: TenantDb, runnerId: string) {
  const runner = await db.runner.findFirst({
    where: { id: runnerId },
    include: WITH_POOL_AND_TOKEN,
  });
  if (!runner) throw new NotFoundError();
  return runner;
}

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
