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

/** The pool of that name, made when the organization has none. */
export async function ensurePool(
  db: TenantDb,
  organizationId: OrganizationId,
  name: string,
): Promise<string> {
  const pool = await db.runnerPool.upsert({
    where: { organizationId_name: { organizationId, name } },
    create: { organizationId, name },
    update: {},
    select: { id: true },
  });
  return pool.id;
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

/** Attempts that a runner has in hand, with what it may have to be told. */
export async function listRunningAttempts(db: TenantDb, runnerId: string) {
  return db.attempt.findMany({
    where: { runnerId, status: { in: ['claimed', 'running', 'stopping'] } },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      status: true,
      fence: true,
      stopRequestedAt: true,
      stopCause: true,
      checkpointRequestedAt: true,
      // Answered by a person, and not with the process yet.
      questions: {
        where: { status: 'answered', closedAt: null },
        orderBy: { id: 'asc' },
        select: { requestId: true, answers: true },
      },
    },
  });
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
