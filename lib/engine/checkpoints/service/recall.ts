import { lockAttempt } from '@/lib/engine/attempt/data';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { checkpointTriggerSchema, type RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import { listRecallable } from '../data';
import { wholeDigest } from '../digest';

/**
 * What an agent may read of its project: its own session, and those of tiers that are over and were
 * not discarded. What was said in a conversation is read in it alone. Newest first.
 *
 * @throws NotFoundError for an attempt that the runner does not hold
 */
export async function recallCheckpoints(
  scope: TenantScope,
  attemptId: string,
  limit: number,
): Promise<{ checkpoints: RecalledCheckpoint[] }> {
  const { organizationId } = scope;
  const rows = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, organizationId, attemptId);
    if (!attempt || attempt.runnerId !== scope.actor.id) throw new NotFoundError();
    return listRecallable(db, organizationId, attempt, limit);
  });
  const redactor = createRedactor({ secrets: [] });
  return {
    checkpoints: rows.map(({ label, digest, remembered, at, ...row }) => {
      const trigger = checkpointTriggerSchema.parse(row.trigger);
      const whole = wholeDigest({ trigger, digest, remembered });
      return { label, trigger, digest: redactor.text(whole), at: at.toISOString() };
    }),
  };
}
