/** Stores the decision on how work continues, and what it waits for. */

import { v7 as uuidv7 } from 'uuid';
import { beforeCommit } from '@/lib/platform/db/raw';
import { insertRows } from '@/lib/platform/db/rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { ResumeDecision } from './continuation/schema';
import { recordNotices } from './events/notices';
import type { ClaimedWork } from './kinds/kind';
import { markWaiting } from './status-data';

/**
 * Stores that the work waits for another runner, or for another version of the agent's CLI on this
 * one. Recorded once per sentence, because the sweep repeats the claim.
 */
export async function holdForVersion(
  db: TenantDb,
  work: ClaimedWork,
  decision: ResumeDecision,
  sentence: string,
  now: Date,
): Promise<void> {
  const { attempt, runner, session, project, chainId } = work;
  await db.attempt.updateMany({
    where: { id: attempt.id, requiredRunnerId: runner.id },
    data: { requiredRunnerId: null },
  });
  const { reason } = decision;
  const recorded = { attemptId: attempt.id, reason, sentence };
  if ((await db.decision.count({ where: recorded })) > 0) return;
  await recordContinuation(db, work, decision, sentence, now);
  await markWaiting(
    db,
    { sessionId: session.id, chainId },
    { statusText: sentence, waitReason: 'version' },
  );
  if (!chainId) return;
  const about = { projectId: project.id, chainId, sessionId: session.id };
  const notice = { ...about, level: 'warning' as const, code: reason, message: sentence };
  recordNotices(db, [notice], now);
}

/**
 * Postpones the claim, because the decision waits for a host or a writer. It is evaluated again
 * soon, and at the deadline at the latest.
 */
export async function postpone(
  db: TenantDb,
  { attempt, session, chainId, pointer }: ClaimedWork,
  statusText: string,
  { reason, waitMs }: Pick<Extract<ResumeDecision, { mode: 'wait' }>, 'reason' | 'waitMs'>,
  now: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      notBefore: new Date(now.getTime() + waitMs),
      // Whoever claims it next may open the copy; the runner that sends it takes no work.
      requiredRunnerId: reason === 'SEAL_EXPECTED' ? null : (pointer?.runnerId ?? null),
    },
  });
  await markWaiting(db, { sessionId: session.id, chainId }, { statusText, waitReason: 'host' });
}

/** Stores the decision, and retires the pointer that can no longer be resumed. */
export async function recordContinuation(
  db: TenantDb,
  { attempt, chainId, session, project, pointer }: ClaimedWork,
  { mode, reason, guards, context, advisories, retirePointer }: ResumeDecision,
  sentence: string,
  now: Date,
): Promise<void> {
  const row = {
    id: uuidv7(),
    organizationId: db.organizationId,
    projectId: project.id,
    chainId,
    sessionId: session.id,
    attemptId: attempt.id,
    kind: 'continuation',
    verdict: mode,
    reason,
    sentence,
    facts: { guards, context, advisories },
    createdAt: now,
  };
  beforeCommit(db, insertRows(db, 'decision', [row]));
  if (!retirePointer || !pointer || pointer.state === 'retired') return;
  await db.pointer.updateMany({
    where: { id: pointer.id },
    data: { state: 'retired', retiredReason: reason.toLowerCase() },
  });
}
