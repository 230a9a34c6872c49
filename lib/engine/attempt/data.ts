import { sql } from 'kysely';
import type { Attempt } from '@/generated/prisma/client';
import { byId, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { HOST_WAITS, type SessionKind, sessionKindSchema } from '../statuses';

export type AttemptRow = Attempt & { sessionKind: SessionKind };

/** Returns the key of an attempt's row. */
export function keyOf({ organizationId, id }: Pick<AttemptRow, 'organizationId' | 'id'>) {
  return { organizationId, id };
}

/** Reads an attempt and locks it until the transaction ends. */
export async function lockAttempt(db: TenantDb, attemptId: string): Promise<AttemptRow | null> {
  const kind = sql`(select s.kind from session s
    where s.organization_id = attempt.organization_id and s.id = attempt.session_id)`;
  const attempt = byId('attempt', db.organizationId, attemptId).selectAll();
  const [row] = await rowsOf(db, attempt.select(kind.as('sessionKind')).forUpdate());
  return row ? { ...row, sessionKind: sessionKindSchema.parse(row.sessionKind) } : null;
}

/**
 * Returns the attempt that follows an ended one and that its runner has claimed and not begun; null
 * if there is none. The runner may not know, since the answer to its claim may have been lost.
 */
export async function findClaimedNext(
  db: TenantDb,
  { organizationId, id, sessionId, runnerId }: AttemptRow,
): Promise<string | null> {
  const [row] = await sqlRows(db)<Pick<Attempt, 'id'>>`select a.id from attempt a
      join session s on s.organization_id = a.organization_id and s.id = a.session_id
      where a.organization_id = ${organizationId}::uuid and a.runner_id = ${runnerId}::uuid
        and a.status = 'claimed' and a.acked_seq = 0 and a.id <> ${id}::uuid
        and (s.id = ${sessionId}::uuid or s.parent_session_id = ${sessionId}::uuid)`;
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

/** Marks the conversation of an attempt as one with text of other systems. */
export async function markTainted(db: TenantDb, attemptId: string): Promise<void> {
  await db.attempt.updateMany({ where: { id: attemptId }, data: { isTainted: true } });
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
