import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { getConfig } from '@/lib/projects/project-rows';
import { checkpointTriggerSchema, type RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import { getSessionFacts, lockAttempt, markTainted } from '../attempt/data';
import { listRecallable } from './data';
import { wholeDigest } from './digest';

/** A tier above 1 doesn't get by its notes what it doesn't get by its conversation. */
async function mayReadTainted(db: TenantDb, sessionId: string): Promise<boolean> {
  const { tier, projectId, projectVersion } = await getSessionFacts(db, sessionId);
  if (tier === 1) return true;
  const config = await getConfig(db, projectId, projectVersion);
  return config.taintedConversation === 'resume';
}

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
    const allowsTainted = await mayReadTainted(db, attempt.sessionId);
    const found = await listRecallable(db, organizationId, attempt, limit, allowsTainted);
    // From here on, its conversation has that text.
    if (found.some(({ isTainted }) => isTainted)) await markTainted(db, attemptId);
    return found;
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
