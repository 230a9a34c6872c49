import { inTransaction } from '@/lib/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/errors';
import { enqueue } from '@/lib/queue/enqueue';
import { settleAttemptJob } from '@/lib/queue/jobs';
import type { AttemptResult } from '@/lib/runner-protocol/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { lockAttempt } from '../data';
import { isCurrentRun } from '../fencing';

/**
 * Keeps how an attempt ended, once; settling it is the worker's. A repeat answers the same.
 *
 * @throws ConflictError while events up to the result's last one are missing
 */
export async function recordResult(
  scope: TenantScope,
  attemptId: string,
  result: AttemptResult,
  now = new Date(),
): Promise<{ decides: boolean }> {
  const outcome = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    if (!attempt || attempt.runnerId !== scope.actor.id) throw new NotFoundError();
    if (attempt.result !== null) return { decides: !attempt.isResultLate, isNew: false };
    if (attempt.ackedSeq < result.lastSeq) {
      throw new ConflictError('Events of this attempt are missing. Send them first.', {
        expectedSeq: attempt.ackedSeq + 1,
      });
    }
    const decides = isCurrentRun(attempt, result.fence);
    await db.attempt.updateMany({
      where: { id: attemptId },
      data: { result, resultAt: now, isResultLate: !decides, settledAt: null },
    });
    return { decides, isNew: true };
  });
  if (outcome.isNew) {
    await enqueue(settleAttemptJob, { organizationId: scope.organizationId, attemptId });
  }
  return { decides: outcome.decides };
}
