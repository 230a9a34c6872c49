import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { getConfig } from '@/lib/projects/project-rows';
import { checkpointTriggerSchema, type RecalledCheckpoint } from '@/lib/protocol/checkpoint';
import type { CheckpointEvent, RunnerEvent } from '@/lib/protocol/events';
import { startSpecSchema } from '@/lib/protocol/spec';
import type { Standing } from '../attempt/context-data';
import { type AttemptRow, getSessionFacts, lockAttempt, markTainted } from '../attempt/data';
import { listRecallable, storeCheckpoints } from './data';
import { wholeDigest } from './digest';

/**
 * Returns an event without its digest, because the session's stream is kept longer than its
 * checkpoints.
 */
export function withoutDigest(event: RunnerEvent): RunnerEvent {
  return event.kind === 'checkpoint'
    ? { ...event, digest: '', queries: [], remembered: [] }
    : event;
}

/**
 * Stores the checkpoints among new events of an attempt, unless the project has turned them off.
 *
 * @returns the attempt, without the request for a checkpoint once that has arrived
 */
export async function keepCheckpoints(
  db: TenantDb,
  attempt: AttemptRow,
  { liveVersion }: Pick<Standing, 'liveVersion'>,
  events: readonly { seq: number; at: string; event: RunnerEvent }[],
  isLate: boolean,
): Promise<AttemptRow> {
  const found = events.flatMap(({ seq, at, event }) =>
    event.kind === 'checkpoint' ? [{ attemptSeq: seq, at: new Date(at), content: event }] : [],
  );
  if (found.length === 0) return attempt;
  await storeIfKept(db, attempt, liveVersion, found, isLate);
  const isAnswered = !isLate && found.some(({ content }) => content.trigger === 'explicit');
  if (!isAnswered || !attempt.checkpointRequestedAt) return attempt;
  const asked = { checkpointRequestedAt: null };
  await db.attempt.updateMany({ where: { id: attempt.id }, data: asked });
  return { ...attempt, ...asked };
}

async function storeIfKept(
  db: TenantDb,
  attempt: AttemptRow,
  liveVersion: number,
  found: readonly { attemptSeq: number; at: Date; content: CheckpointEvent }[],
  isLate: boolean,
): Promise<void> {
  const { checkpoints } = await getConfig(db, attempt.projectId, liveVersion);
  if (!checkpoints.enabled) return;
  const redactor = createRedactor({ secrets: [] });
  const redacted = (content: CheckpointEvent) => redactor.value(content) as CheckpointEvent;
  storeCheckpoints(
    db,
    attempt,
    {
      harness: startSpecSchema.parse(attempt.start).harness,
      isLate,
      maxPerSession: checkpoints.maxCheckpointsPerSession,
    },
    found.map((one) => ({ ...one, content: redacted(one.content) })),
  );
}

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
  const rows = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, attemptId);
    if (!attempt || attempt.runnerId !== scope.actor.id) throw new NotFoundError();
    const allowsTainted = await mayReadTainted(db, attempt.sessionId);
    const found = await listRecallable(db, attempt, limit, allowsTainted);
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
