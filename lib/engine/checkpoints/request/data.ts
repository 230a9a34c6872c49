import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

/** Returns the attempt of a session that has not ended; null if all have. */
export function findLiveAttempt(db: TenantDb, sessionId: string): Promise<{ id: string } | null> {
  return db.attempt.findFirst({
    where: { sessionId, status: { not: 'ended' } },
    select: { id: true },
  });
}

export function findRunner(
  db: TenantDb,
  runnerId: string,
): Promise<{ name: string; posture: unknown } | null> {
  return db.runner.findFirst({ where: { id: runnerId }, select: { name: true, posture: true } });
}

export async function markRequested(db: TenantDb, attemptId: string, now: Date): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attemptId, checkpointRequestedAt: null },
    data: { checkpointRequestedAt: now },
  });
}

/**
 * Marks a session's checkpoints as discarded.
 *
 * @returns false if they were already
 */
export async function markDiscarded(
  db: TenantDb,
  sessionId: string,
  by: { at: Date; label: string },
): Promise<boolean> {
  const { count } = await db.session.updateMany({
    where: { id: sessionId, discardedAt: null },
    data: { discardedAt: by.at, discardedBy: by.label },
  });
  return count > 0;
}

export interface SessionState {
  id: string;
  number: number;
  projectId: string;
  discardedAt: Date | null;
  discardedBy: string | null;
}

/**
 * Returns a session of a chain, by UUID.
 *
 * @throws NotFoundError also for a turn of a conversation, which has no checkpoints
 */
export async function getChainSession(db: TenantDb, id: string): Promise<SessionState> {
  const row = await db.session.findFirst({
    where: { id, chainId: { not: null } },
    select: { id: true, number: true, projectId: true, discardedAt: true, discardedBy: true },
  });
  if (!row) throw new NotFoundError();
  return row;
}
