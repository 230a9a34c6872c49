import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { enqueue } from '@/lib/platform/queue/enqueue';
import { settleAttemptJob } from '@/lib/platform/queue/jobs';
import type { AttemptResult } from '@/lib/protocol/schema';
import { type AttemptRow, isCurrentRun, lockAttempt } from '../attempt/data';

/**
 * Stores the result of an attempt, once; a worker's job settles it. A repeat gets the same answer.
 *
 * @throws ConflictError while events up to the result's last one are missing
 */
export async function recordResult(
  scope: TenantScope,
  attemptId: string,
  result: AttemptResult,
  now = new Date(),
): Promise<{ decides: boolean }> {
  const { attempt, isNew } = await inTransaction(scope, async (db) => {
    const locked = await lockAttempt(db, scope.organizationId, attemptId);
    return keepResult(db, scope, locked, result, now);
  });
  if (isNew) {
    await enqueue(settleAttemptJob, { organizationId: scope.organizationId, attemptId });
  }
  return { decides: !attempt.isResultLate };
}

/**
 * Stores the result of a locked attempt.
 *
 * @returns the attempt with its result; `isNew` is false if it had one already
 * @throws NotFoundError for an attempt of another runner
 */
export async function keepResult(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow | null,
  result: AttemptResult,
  now: Date,
): Promise<{ attempt: AttemptRow; isNew: boolean }> {
  if (!attempt || attempt.runnerId !== scope.actor.id) throw new NotFoundError();
  if (attempt.result !== null) return { attempt, isNew: false };
  if (attempt.ackedSeq < result.lastSeq) {
    throw new ConflictError('Events of this attempt are missing. Send them first.', {
      expectedSeq: attempt.ackedSeq + 1,
    });
  }
  const kept = {
    result,
    resultAt: now,
    isResultLate: !isCurrentRun(attempt, result.fence),
    settledAt: null,
    settleFailures: 0,
    settleRetryAt: null,
  };
  await db.attempt.updateMany({ where: { id: attempt.id }, data: kept });
  return { attempt: { ...attempt, ...kept }, isNew: true };
}
