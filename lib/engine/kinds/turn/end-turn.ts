import { type AttemptRow, lockAttempt } from '@/lib/engine/attempt/data';
import { endSession, endUnrun, markStopping } from '@/lib/engine/status-data';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { findLiveAttemptId } from './data';

/**
 * Stops the process of a turn, or its wait for one. Returns false if it has ended already. A
 * repeated call changes nothing.
 */
export async function endTurn(
  db: TenantDb,
  scope: TenantScope,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const attempt = await lockLiveAttempt(db, sessionId);
  if (!attempt) return false;
  if (attempt.stopRequestedAt) return true;
  await db.turn.updateMany({ where: { sessionId }, data: { stoppedBy: scope.actor.label } });
  if (attempt.status === 'queued') {
    const stoppedBy = `Stopped by ${scope.actor.label}`;
    const statusText = attempt.number === 1 ? `${stoppedBy} before it started.` : `${stoppedBy}.`;
    await endUnrun(db, attempt.id, { end: 'stopped', text: statusText }, now);
    await endSession(db, sessionId, { status: 'stopped', statusText }, now);
    return true;
  }
  const statusText = `Stopping: requested by ${scope.actor.label}.`;
  await markStopping(db, attempt, { cause: 'operator', statusText }, now);
  return true;
}

/**
 * Locks the attempt of a session that has not ended. While this waited for the lock, the attempt may
 * have ended and been followed by another, which is the one to stop.
 */
async function lockLiveAttempt(db: TenantDb, sessionId: string): Promise<AttemptRow | null> {
  for (;;) {
    const attemptId = await findLiveAttemptId(db, sessionId);
    if (!attemptId) return null;
    const attempt = await lockAttempt(db, attemptId);
    if (attempt?.status !== 'ended') return attempt;
  }
}

/**
 * Removes turns from their conversation: they and their answers stay readable, and are never
 * resumed.
 */
export async function cutTurns(
  db: TenantDb,
  ids: readonly string[],
  by: { at: Date; label: string },
): Promise<void> {
  await db.turn.updateMany({
    where: { id: { in: [...ids] } },
    data: { cutAt: by.at, cutBy: by.label },
  });
}
