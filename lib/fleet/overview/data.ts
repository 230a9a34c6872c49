import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** What a runner has in hand and what it had last; newest first. */
export function listAttemptsOfRunner(db: TenantDb, runnerId: string, limit: number) {
  return db.attempt.findMany({
    where: { runnerId },
    orderBy: { id: 'desc' },
    take: limit,
    select: {
      id: true,
      number: true,
      status: true,
      end: true,
      endText: true,
      claimedAt: true,
      startedAt: true,
      endedAt: true,
      session: {
        select: {
          number: true,
          tier: true,
          model: true,
          project: { select: { slug: true, name: true } },
          turn: { select: { conversation: { select: { deletedAt: true } } } },
        },
      },
    },
  });
}
export type RunnerAttemptRow = Awaited<ReturnType<typeof listAttemptsOfRunner>>[number];

export function listOpenTokens(db: TenantDb, now: Date) {
  return db.enrolmentToken.findMany({
    where: { usedAt: null, expiresAt: { gt: now } },
    orderBy: { expiresAt: 'asc' },
    select: { id: true, createdBy: true, expiresAt: true, pool: { select: { name: true } } },
  });
}

/** Attempts of each pool that no runner has taken yet. */
export async function countWaiting(db: TenantDb): Promise<Map<string, number>> {
  const rows = await db.attempt.groupBy({
    by: ['poolId'],
    where: { status: 'queued' },
    _count: { _all: true },
  });
  const pools = await db.runnerPool.findMany({
    where: { id: { in: rows.map((row) => row.poolId) } },
    select: { id: true, name: true },
  });
  return new Map(
    rows.map((row) => [pools.find((pool) => pool.id === row.poolId)?.name ?? '', row._count._all]),
  );
}

export async function listPoolNames(db: TenantDb): Promise<string[]> {
  const pools = await db.runnerPool.findMany({ select: { name: true }, orderBy: { name: 'asc' } });
  return pools.map((pool) => pool.name);
}
