import { type Attempt, Prisma } from '@/generated/prisma/client';
import { beforeCommit, executeRaw, fromColumns, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { StartSpec } from '@/lib/protocol/spec';
import { HOST_WAITS, type SessionKind, sessionKindSchema } from '../statuses';

export type AttemptRow = Attempt & { sessionKind: SessionKind };

/** Returns the key of an attempt's row. */
export function keyOf({ organizationId, id }: Pick<AttemptRow, 'organizationId' | 'id'>) {
  return { organizationId, id };
}

/** Reads an attempt and locks it until the transaction ends. */
export async function lockAttempt(
  db: TenantDb,
  organizationId: OrganizationId,
  attemptId: string,
): Promise<AttemptRow | null> {
  const [row] = await queryRaw<Record<string, unknown>>(
    db,
    Prisma.sql`select a.*, (
        select s.kind from session s where s.organization_id = a.organization_id and s.id = a.session_id
      ) as session_kind from attempt a
      where a.organization_id = ${organizationId}::uuid and a.id = ${attemptId}::uuid for update`,
  );
  if (!row) return null;
  const attempt = fromColumns<AttemptRow>(row);
  return { ...attempt, sessionKind: sessionKindSchema.parse(attempt.sessionKind) };
}

/**
 * Returns the attempt that follows an ended one and that its runner has claimed and not begun; null
 * if there is none. The runner may not know, since the answer to its claim may have been lost.
 */
export async function findClaimedNext(
  db: TenantDb,
  { organizationId, id, sessionId, runnerId }: AttemptRow,
): Promise<string | null> {
  const [row] = await queryRaw<{ id: string }>(
    db,
    Prisma.sql`select a.id from attempt a
      join session s on s.organization_id = a.organization_id and s.id = a.session_id
      where a.organization_id = ${organizationId}::uuid and a.runner_id = ${runnerId}::uuid
        and a.status = 'claimed' and a.acked_seq = 0 and a.id <> ${id}::uuid
        and (s.id = ${sessionId}::uuid or s.parent_session_id = ${sessionId}::uuid)`,
  );
  return row?.id ?? null;
}

/** Returns the attempts that a runner runs, with what its directives depend on. */
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
      // Answered by a person, and not delivered to the process yet.
      questions: {
        where: { status: 'answered', closedAt: null },
        orderBy: { id: 'asc' },
        select: { requestId: true, answers: true },
      },
    },
  });
}

const MAX_UNBLOCKED = 50;

/** Returns the attempts in a runner's pool that may start on it once it has passed a canary. */
export async function listWaitingForProof(
  db: TenantDb,
  runner: { id: string; poolId: string },
): Promise<string[]> {
  const attempts = await db.attempt.findMany({
    where: {
      status: 'queued',
      poolId: runner.poolId,
      session: { waitReason: { in: [...HOST_WAITS] } },
      OR: [{ requiredRunnerId: null }, { requiredRunnerId: runner.id }],
    },
    orderBy: { id: 'asc' },
    take: MAX_UNBLOCKED,
    select: { id: true },
  });
  return attempts.map(({ id }) => id);
}

/**
 * Lets the leases of a runner's attempts expire at `leaseExpiresAt`, if they would have expired
 * later.
 */
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

interface ClaimedWork {
  attemptId: string;
  runnerId: string;
  /** The process of the runner that claims; null if it didn't report one. */
  processId: string | null;
  fence: number;
  leaseExpiresAt: Date;
  start: StartSpec;
  isTainted: boolean;
  sessionId: string;
  mechanism: 'fresh' | 'resume' | 'handoff' | 'transcript';
  isFallback: boolean;
  /** Null for a turn of a conversation. */
  chainId: string | null;
  tier: number;
}

/** Marks the conversation of an attempt as one with text of other systems. */
export async function markTainted(db: TenantDb, attemptId: string): Promise<void> {
  await db.attempt.updateMany({ where: { id: attemptId }, data: { isTainted: true } });
}

/**
 * Marks an attempt as claimed by its runner, and its session and chain as running. `now` is the
 * start time of those that had not started yet.
 */
export function markClaimed(
  db: TenantDb,
  organizationId: OrganizationId,
  claimed: ClaimedWork,
  now: Date,
): void {
  const { tier } = claimed;
  const write = executeRaw(
    db,
    Prisma.sql`with attempt as (
        update attempt set status = 'claimed', runner_id = ${claimed.runnerId}::uuid, fence = ${claimed.fence},
          lease_expires_at = ${claimed.leaseExpiresAt}::timestamptz, claimed_at = ${now}::timestamptz,
          claimed_by_process = ${claimed.processId}::uuid,
          start = ${JSON.stringify(claimed.start)}::jsonb, is_tainted = ${claimed.isTainted}
        where organization_id = ${organizationId}::uuid and id = ${claimed.attemptId}::uuid
      ), session as (
        update session set status = 'running', status_text = '', wait_reason = null, started_at = coalesce(started_at, ${now}::timestamptz),
          mechanism = ${claimed.mechanism}, is_fallback = ${claimed.isFallback}
        where organization_id = ${organizationId}::uuid and id = ${claimed.sessionId}::uuid
      )
      update chain set status = 'running', status_text = ${`Tier ${tier} is running.`}, wait_reason = null,
        started_at = coalesce(started_at, ${now}::timestamptz), highest_tier = greatest(highest_tier, ${tier})
      where organization_id = ${organizationId}::uuid and id = ${claimed.chainId}::uuid and status <> 'ended'`,
  );
  beforeCommit(db, write);
}

/** Returns the tier and the configuration of a session. */
export function getSessionFacts(db: TenantDb, sessionId: string) {
  return db.session.findFirstOrThrow({
    where: { id: sessionId },
    select: { tier: true, projectId: true, projectVersion: true },
  });
}

/** Returns whether an attempt of a session held text of other systems. */
export async function isSessionTainted(db: TenantDb, sessionId: string): Promise<boolean> {
  const tainted = await db.attempt.findFirst({
    where: { sessionId, isTainted: true },
    select: { id: true },
  });
  return tainted !== null;
}

/** Returns whether this fencing number belongs to the current claim of a live attempt. */
export function isCurrentRun(attempt: { status: string; fence: number }, fence: number): boolean {
  return attempt.status !== 'ended' && attempt.fence === fence;
}
