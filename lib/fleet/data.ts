import type { Runner } from '@/generated/prisma/client';
import { ENDED_PAUSES_PER_SWEEP, type EndedPause } from '@/lib/identity/pauses/end-pauses';
import { NOT_PAUSED } from '@/lib/identity/pauses/pauses';
import type { PauseColumns } from '@/lib/identity/pauses/schema';
import { systemDb } from '@/lib/platform/db/global-db';
import { toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { Posture } from '@/lib/protocol/schema';
import { WITH_POOL_AND_TOKEN } from './runner-rows';

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

/** Returns runners, newest first. */
export function listRunnerRows(db: TenantDb, page: { limit: number; beforeId: string | null }) {
  return db.runner.findMany({
    where: page.beforeId ? { id: { lt: page.beforeId } } : {},
    orderBy: { id: 'desc' },
    take: page.limit + 1,
    include: WITH_POOL_AND_TOKEN,
  });
}
export type RunnerRow = Awaited<ReturnType<typeof listRunnerRows>>[number];

/** Returns the number of attempts in progress per runner. */
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

export function listEndedRunnerPauses(now: Date): Promise<EndedPause[]> {
  return systemDb('pauses of runners that end').runner.findMany({
    where: { pauseEndsAt: { lte: now } },
    select: { id: true, name: true, organizationId: true },
    take: ENDED_PAUSES_PER_SWEEP,
  });
}

/** False when someone has resumed it, or paused it again, in between. */
export async function endRunnerPauseIfDue(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.runner.updateMany({
    where: { id, pauseEndsAt: { lte: now } },
    data: NOT_PAUSED,
  });
  return count === 1;
}

/** What one heartbeat changes. */
interface ReportedPosture {
  lastSeenAt: Date;
  posture: Posture;
  slots: number;
  clockSkewMs: number | null;
}

export async function storePosture(
  db: TenantDb,
  runnerId: string,
  { posture, ...columns }: ReportedPosture,
): Promise<void> {
  await db.runner.updateMany({
    where: { id: runnerId },
    data: { ...columns, posture: toJson(posture) },
  });
}

/** Stores a second valid key, until it replaces the current one. */
export async function storeNextKey(db: TenantDb, runnerId: string, keyHash: string): Promise<void> {
  await db.runner.updateMany({ where: { id: runnerId }, data: { nextKeyHash: keyHash } });
}

/** Makes the pending key the only one. Returns false if `keyHash` isn't the pending key. */
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

/** Returns the attempts of a runner, in progress and recent ones, newest first. */
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

/** Returns how many attempts of each pool wait for a claim. */
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
