import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { checkpointTriggerSchema, type RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import { lockAttempt } from '../attempt/data';
import { listRecallable } from './data';
import { wholeDigest } from './digest';

/**
 * Returns the checkpoints of its project that an agent may read, newest first: those of its own
 * session, and those of ended tiers that were not discarded. Checkpoints of a conversation are
 * readable only within it.
 *
 * @throws NotFoundError for an attempt that the runner doesn't hold
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
