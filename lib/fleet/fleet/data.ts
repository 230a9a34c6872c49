import type { Runner } from '@/generated/prisma/client';
import type { PauseColumns } from '@/lib/identity/pauses/schema';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { WITH_POOL_AND_TOKEN } from '../runner-rows';

/** Newest first. */
export function listRunnerRows(db: TenantDb, page: { limit: number; beforeId: string | null }) {
  return db.runner.findMany({
    where: page.beforeId ? { id: { lt: page.beforeId } } : {},
    orderBy: { id: 'desc' },
    take: page.limit + 1,
    include: WITH_POOL_AND_TOKEN,
  });
}
export type RunnerRow = Awaited<ReturnType<typeof listRunnerRows>>[number];

/** How many attempts each runner has in hand. */
export async function countInHand(
  db: TenantDb,
  runnerIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.attempt.groupBy({
    by: ['runnerId'],
    where: {
      runnerId: { in: [...runnerIds] },
      status: { in: ['claimed', 'running', 'stopping'] },
    },
    _count: { _all: true },
  });
  return new Map(rows.flatMap((row) => (row.runnerId ? [[row.runnerId, row._count._all]] : [])));
}

export async function insertEnrolment(
  db: TenantDb,
  organizationId: OrganizationId,
  enrolment: {
    poolId: string;
    tokenHash: string;
    allowedTiers: number[];
    slotLimit: number | null;
    createdBy: string;
    expiresAt: Date;
  },
): Promise<string> {
  const row = await db.enrolmentToken.create({
    data: { organizationId, ...enrolment },
    select: { id: true },
  });
  return row.id;
}

export type RunnerChanges = Partial<
  Pick<
    Runner,
    | 'drainingAt'
    | keyof PauseColumns
    | 'revokedAt'
    | 'allowedTiers'
    | 'slotLimit'
    | 'slots'
    | 'nextKeyHash'
    | 'rotationRequestedAt'
  >
>;

export async function updateRunner(
  db: TenantDb,
  runnerId: string,
  changes: RunnerChanges,
): Promise<void> {
  await db.runner.updateMany({ where: { id: runnerId }, data: changes });
}

/** Its attempts may be called lost from `leaseExpiresAt` on, however long they had been promised. */
export async function shortenLeases(
  db: TenantDb,
  runnerId: string,
  leaseExpiresAt: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: {
      runnerId,
      status: { in: ['claimed', 'running', 'stopping'] },
      leaseExpiresAt: { gt: leaseExpiresAt },
    },
    data: { leaseExpiresAt },
  });
}
