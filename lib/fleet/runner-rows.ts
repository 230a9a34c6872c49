import { Prisma } from '@/generated/prisma/client';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

/** Includes the runner's pool, what its organization denies, and the token that enrolled it. */
export const WITH_POOL_AND_TOKEN = {
  pool: { select: { name: true, organization: { select: { deniedCliVersions: true } } } },
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

/** Returns the check tests that a runner has not answered yet, oldest first. */
export function listOpenCheckTests(db: TenantDb, runnerId: string) {
  return db.checkTest.findMany({
    where: { runnerId, outcome: { equals: Prisma.DbNull } },
    orderBy: { createdAt: 'asc' },
    take: 20,
    select: { id: true, service: true, check: true },
  });
}
