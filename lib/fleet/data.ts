import { sql } from 'kysely';
import type { Prisma, Runner } from '@/generated/prisma/client';
import {
  ENDED_PAUSES_PER_SWEEP,
  type EndedPause,
  NOT_PAUSED,
  type PauseColumns,
} from '@/lib/identity/pauses';
import { daysBefore } from '@/lib/platform/db/batches';
import { systemDb } from '@/lib/platform/db/global-db';
import { toJson } from '@/lib/platform/db/raw';
import { query, systemRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import type { Capabilities } from '@/lib/protocol/schema';
import { WITH_POOL_AND_TOKEN } from './runner-rows';
import { OFFLINE_AFTER_SECONDS, STALE_DAYS } from './status';

export async function insertRunner(
  db: TenantDb,
  runner: Omit<Prisma.RunnerUncheckedCreateInput, 'organizationId'>,
): Promise<string> {
  const row = await db.runner.create({
    data: { organizationId: db.organizationId, ...runner },
    select: { id: true },
  });
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
export function listRunnerRows(db: TenantDb, place: Place) {
  const { id, ...page } = pageArgs(place);
  return db.runner.findMany({ where: { id }, ...page, include: WITH_POOL_AND_TOKEN });
}
/** Returns what the runners of a pool may run and last reported, without revoked ones. */
export function listPoolCapabilities(db: TenantDb, pool: string) {
  return db.runner.findMany({
    where: { pool: { name: pool }, revokedAt: null },
    select: { allowedTiers: true, capabilities: true },
  });
}

export type RunnerRow = Awaited<ReturnType<typeof listRunnerRows>>[number];

/** Returns the number of attempts in progress per runner. */
export async function countRunning(
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
  enrolment: Omit<Prisma.EnrolmentTokenUncheckedCreateInput, 'organizationId'>,
): Promise<string> {
  const row = await db.enrolmentToken.create({
    data: { organizationId: db.organizationId, ...enrolment },
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
    | 'updateRequestedAt'
    | 'updateStartedAt'
    | 'updateFailure'
    | 'updateFailedAt'
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

/**
 * Ends a runner's pause if it is due. Returns false if someone has resumed or paused it in between.
 */
export async function endRunnerPauseIfDue(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.runner.updateMany({
    where: { id, pauseEndsAt: { lte: now } },
    data: NOT_PAUSED,
  });
  return count === 1;
}

const HOLDER_COLUMNS = {
  keyProcess: true,
  keyInstance: true,
  keyHeldUntil: true,
  keyReplacedProcess: true,
  keyRefusedProcess: true,
} as const;

export function findKeyHolder(db: TenantDb, runnerId: string) {
  return db.runner.findFirstOrThrow({ where: { id: runnerId }, select: HOLDER_COLUMNS });
}

/** Returns false if the holder has changed since `before` was read. */
export async function moveKey(
  db: TenantDb,
  runnerId: string,
  before: Awaited<ReturnType<typeof findKeyHolder>>,
  after: Awaited<ReturnType<typeof findKeyHolder>>,
): Promise<boolean> {
  const { keyProcess, keyReplacedProcess, keyRefusedProcess } = before;
  const { count } = await db.runner.updateMany({
    where: { id: runnerId, keyProcess, keyReplacedProcess, keyRefusedProcess },
    data: after,
  });
  return count === 1;
}

export async function noteSecondHost(db: TenantDb, runnerId: string, now: Date): Promise<void> {
  await db.runner.updateMany({ where: { id: runnerId }, data: { secondHostAt: now } });
}

/** What one heartbeat changes. */
interface ReportedCapabilities {
  lastSeenAt: Date;
  capabilities: Capabilities;
  slots: number;
  clockSkewMs: number | null;
}

export async function storeCapabilities(
  db: TenantDb,
  runnerId: string,
  { capabilities, ...columns }: ReportedCapabilities,
): Promise<void> {
  await db.runner.updateMany({
    where: { id: runnerId },
    data: { ...columns, capabilities: toJson(capabilities) },
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

/** Returns the seeded demo organization; null if there is none. */
export async function findDemo() {
  return systemDb('the demo organization of this installation').organization.findFirst({
    where: { isDemo: true },
    select: { id: true, slug: true },
  });
}

/** Returns since when the runner API has answered without a gap; null if it never has. */
export async function findPresence(
  name: string,
): Promise<{ continuousSince: Date; lastAt: Date } | null> {
  return systemDb('presence of the runner API').processHeartbeat.findUnique({ where: { name } });
}

/** Returns the offline runners of every organization that have not been reported yet. */
export function listSilentRunners(now: Date): Promise<{ id: string; organizationId: string }[]> {
  return systemRows(
    'silent runners',
    query
      .selectFrom('runner')
      .select(['id', 'organizationId'])
      .where('revokedAt', 'is', null)
      .where('lastSeenAt', '<', new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000))
      .where('lastSeenAt', '>', daysBefore(now, STALE_DAYS))
      .where(sql<boolean>`(offline_notified_at is null or offline_notified_at < last_seen_at)`)
      .limit(200),
  );
}

/**
 * Marks an offline runner as reported. Returns null if it is back, or if another process reports
 * it.
 */
export async function claimSilence(db: TenantDb, runnerId: string, now: Date) {
  const silentSince = new Date(now.getTime() - OFFLINE_AFTER_SECONDS * 1_000);
  const runner = await db.runner.findFirst({
    where: { id: runnerId, lastSeenAt: { lt: silentSince } },
    include: { pool: true },
  });
  if (!runner?.lastSeenAt) return null;
  const { count } = await db.runner.updateMany({
    where: {
      id: runnerId,
      lastSeenAt: runner.lastSeenAt,
      offlineNotifiedAt: runner.offlineNotifiedAt,
    },
    data: { offlineNotifiedAt: now },
  });
  return count === 0 ? null : { ...runner, lastSeenAt: runner.lastSeenAt };
}
