import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { takeSessionNumber } from '@/lib/projects/project-rows';

/** A turn with its session and that session's first attempt. */
interface NewTurnRows {
  turnId: string;
  sessionId: string;
  attemptId: string;
  projectId: string;
  conversationId: string;
  position: number;
  agent: string;
  author: string;
  message: string;
  isForcedFresh: boolean;
  epoch: number;
  model: string;
  projectVersion: number;
  /** The session whose conversation it may continue. */
  parentSessionId: string | null;
  poolId: string;
  /** The runner that holds that conversation. */
  requiredRunnerId: string | null;
  waitUntil: Date;
}

/**
 * Writes a turn with its session and first attempt.
 *
 * @returns the session's number
 */
export async function insertTurn(db: TenantDb, row: NewTurnRows, now: Date): Promise<number> {
  const { projectId, conversationId, sessionId } = row;
  const number = await takeSessionNumber(db, db.organizationId, projectId);
  await db.session.create({
    data: {
      id: sessionId,
      organizationId: db.organizationId,
      projectId,
      number,
      kind: 'ask',
      tier: 1,
      parentSessionId: row.parentSessionId,
      statusText: 'Waiting for a runner.',
      waitReason: 'runner',
      model: row.model,
      projectVersion: row.projectVersion,
      createdAt: now,
    },
  });
  await db.attempt.create({
    data: {
      id: row.attemptId,
      organizationId: db.organizationId,
      projectId,
      sessionId,
      number: 1,
      purpose: 'ask',
      poolId: row.poolId,
      requiredRunnerId: row.requiredRunnerId,
      waitUntil: row.waitUntil,
      queuedAt: now,
    },
  });
  const { turnId, position, agent, author, message, isForcedFresh, epoch } = row;
  await db.turn.create({
    data: {
      id: turnId,
      organizationId: db.organizationId,
      projectId,
      conversationId,
      sessionId,
      position,
      agent,
      author,
      message,
      isForcedFresh,
      epoch,
      createdAt: now,
    },
  });
  return number;
}

/** Returns whether a later turn may continue the conversation of this one: only if it was answered. */
export function leavesConversation({ answer }: { answer: string | null }): boolean {
  return answer !== null;
}

/** Returns the newest session of a chain, whose conversation can be continued. */
export async function findNewestSession(db: TenantDb, chainId: string) {
  return db.session.findFirst({
    where: { chainId },
    orderBy: { number: 'desc' },
    select: { id: true },
  });
}

/** Returns the runner that holds a session's conversation, if it can be continued. */
export async function findHolder(db: TenantDb, sessionId: string) {
  const pointer = await db.pointer.findFirst({
    where: { sessionId, isLate: false },
    orderBy: { id: 'desc' },
    select: { state: true, runnerId: true },
  });
  if (pointer?.state !== 'confirmed') return null;
  return db.runner.findFirst({ where: { id: pointer.runnerId } });
}

/** Returns the runners of a pool, including offline ones, without revoked ones. */
export async function listRunnersOfPool(db: TenantDb, poolId: string) {
  return db.runner.findMany({
    where: { poolId, revokedAt: null },
    orderBy: { name: 'asc' },
    select: { name: true, capabilities: true },
  });
}

/** Returns the attempt of a session that has not ended. */
export async function findLiveAttemptId(db: TenantDb, sessionId: string): Promise<string | null> {
  const row = await db.attempt.findFirst({
    where: { sessionId, status: { not: 'ended' } },
    select: { id: true },
  });
  return row?.id ?? null;
}

export async function getTurnOfSession(db: TenantDb, sessionId: string) {
  return db.turn.findFirst({ where: { sessionId }, include: { conversation: true } });
}

/** Another attempt of the same turn. */
interface NextTurnAttempt {
  id: string;
  projectId: string;
  sessionId: string;
  number: number;
  purpose: 'ask' | 'continue';
  poolId: string;
  requiredRunnerId: string | null;
  waitUntil: Date;
  onlyMode: 'transcript' | null;
  notBefore: Date | null;
}

export async function insertTurnAttempt(
  db: TenantDb,
  row: NextTurnAttempt,
  now: Date,
): Promise<void> {
  await db.attempt.create({ data: { organizationId: db.organizationId, queuedAt: now, ...row } });
}

export async function writeAnswer(db: TenantDb, turnId: string, answer: string): Promise<void> {
  await db.turn.updateMany({ where: { id: turnId }, data: { answer } });
}

/**
 * Cancels the questions that were open when the process ended. An answer can no longer reach it.
 */
export async function cancelQuestions(db: TenantDb, attemptId: string, now: Date): Promise<void> {
  await db.question.updateMany({
    where: { attemptId, closedAt: null },
    data: { status: 'cancelled', closedAt: now },
  });
}
