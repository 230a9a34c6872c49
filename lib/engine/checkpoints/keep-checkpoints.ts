import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { getConfig } from '@/lib/projects/project-rows';
import type { CheckpointEvent, RunnerEvent } from '@/lib/protocol/events';
import { startSpecSchema } from '@/lib/protocol/spec';
import type { Standing } from '../attempt/context-data';
import type { AttemptRow } from '../attempt/data';
import { storeCheckpoints } from './data';

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
