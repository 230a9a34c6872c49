import { keepQuestions } from '@/lib/conversations/service/keep-questions';
import { forgetActions, recordActions } from '@/lib/cooldowns/data';
import { matchCooldownAction } from '@/lib/cooldowns/rules';
import { namedServices } from '@/lib/cooldowns/service-names';
import { inTransaction, type TenantDb } from '@/lib/db/tenant-db';
import { appendSessionEvents } from '@/lib/events/data';
import { readUnfinished, writtenUnfinished } from '@/lib/events/unfinished/data';
import { grownBy } from '@/lib/events/unfinished/grow';
import { notifySession } from '@/lib/live/data';
import { getConfig } from '@/lib/projects/data';
import type { RunnerEvent } from '@/lib/runner-protocol/events';
import type { EventsRequest, EventsResponse } from '@/lib/runner-protocol/schema';
import { recordCheckResults } from '@/lib/services/data';
import type { TenantScope } from '@/lib/tenancy/scope';
import { type AttemptRow, lockAttempt } from '../data';
import { directivesFor } from '../directives';
import { isCurrentRun } from '../fencing';
import { keepCheckpoints, withoutDigest } from './keep-checkpoints';
import { stopPastCooldown } from './stop-past-cooldown';

type Batch = EventsRequest['batches'][number];

/**
 * Stores batches of events in order, each exactly once: the runner numbers them without gaps, and
 * what lies at or below the highest number stored is a repeat. Attempts of other runners are not
 * acknowledged, and neither is anything behind a gap.
 *
 * Pieces of an answer are kept with the attempt and not in the session's stream, which will hold
 * the whole message.
 */
export async function recordEvents(
  scope: TenantScope,
  batches: readonly Batch[],
  now = new Date(),
): Promise<EventsResponse> {
  const response: EventsResponse = { acknowledged: [], directives: [] };
  for (const batch of batches) {
    const stored = await inTransaction(scope, (db) => recordBatch(db, scope, batch, now));
    if (!stored) {
      response.directives.push({ kind: 'stop', attemptId: batch.attemptId, reason: 'fenced' });
      continue;
    }
    response.acknowledged.push({ attemptId: batch.attemptId, seq: stored.ackedSeq });
    response.directives.push(...directivesFor(stored.attempt, batch.fence));
  }
  return response;
}

/** Inside of a transaction. Null for an attempt of another runner: nothing of it is stored. */
export async function recordBatch(db: TenantDb, scope: TenantScope, batch: Batch, now: Date) {
  const attempt = await lockAttempt(db, scope.organizationId, batch.attemptId);
  if (!attempt || attempt.runnerId !== scope.actor.id) return null;
  const fresh = newEvents(batch, attempt.ackedSeq);
  const last = fresh.at(-1);
  if (!last) return { attempt, ackedSeq: attempt.ackedSeq };
  const isLate = !isCurrentRun(attempt, batch.fence);
  const events = fresh.map(({ event }) => event);
  const told = fresh.filter(({ event }) => event.kind !== 'answer_part');
  if (told.length > 0) {
    await appendSessionEvents(
      db,
      scope.organizationId,
      attempt.sessionId,
      told.map(({ seq, at, event }) => ({
        attemptId: attempt.id,
        attemptSeq: seq,
        kind: event.kind,
        at: new Date(at),
        payload: withoutDigest(event),
        isLate,
      })),
    );
  } else if (!isLate) await notifySession(db, attempt.sessionId);
  const before = readUnfinished(attempt.unfinishedAnswer);
  const unfinished = isLate ? before : grownBy(before, events);
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      ackedSeq: last.seq,
      ...(unfinished === before ? {} : { unfinishedAnswer: writtenUnfinished(unfinished) }),
    },
  });
  await keepProcessFacts(db, attempt, events, isLate, now);
  const answered = await keepCheckpoints(db, attempt, fresh, isLate);
  if (!isLate) await keepQuestions(db, attempt, fresh);
  const after = isLate ? answered : await keepWorldFacts(db, scope, answered, events, now);
  return { attempt: after, ackedSeq: last.seq };
}

/** The events that continue what is stored, up to the first gap. */
function newEvents(batch: Batch, ackedSeq: number): Batch['events'] {
  let expected = ackedSeq + 1;
  return batch.events.filter((entry) => {
    if (entry.seq !== expected) return false;
    expected += 1;
    return true;
  });
}

/** What the process says about itself: its command, its start, its conversation's id. */
async function keepProcessFacts(
  db: TenantDb,
  attempt: AttemptRow,
  events: readonly RunnerEvent[],
  isLate: boolean,
  now: Date,
): Promise<void> {
  for (const event of events) {
    if (event.kind === 'command') {
      await db.attempt.updateMany({ where: { id: attempt.id }, data: { command: event } });
    }
    if (event.kind === 'process' && event.phase === 'started') {
      await db.attempt.updateMany({
        where: { id: attempt.id, status: 'claimed' },
        data: { status: 'running', startedAt: now },
      });
    }
    if (event.kind === 'init') {
      await db.attempt.updateMany({
        where: { id: attempt.id },
        data: { confirmedCliSessionId: event.cliSessionId, cliVersion: event.cliVersion },
      });
      if (!isLate && event.cliSessionId) {
        await db.session.updateMany({
          where: { id: attempt.sessionId },
          data: { cliSessionId: event.cliSessionId },
        });
      }
    }
  }
}

/** What the events say about the systems: checks that ran, and actions that count for cooldowns. */
async function keepWorldFacts(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  events: readonly RunnerEvent[],
  now: Date,
): Promise<AttemptRow> {
  const checks = events.filter((event) => event.kind === 'check_result');
  const calls = events.flatMap((event) =>
    event.kind === 'tool_call' && event.tool === 'Bash' ? [event] : [],
  );
  const results = events.filter((event) => event.kind === 'tool_result');
  const refused = results.flatMap((result) => (result.denied ? [result.toolUseId] : []));
  if (checks.length + calls.length + results.length === 0) return attempt;
  const session = await db.session.findFirst({ where: { id: attempt.sessionId } });
  if (!session) return attempt;
  const { projectId, chainId } = session;
  // What a conversation looks at is its own: health is what the cycles found.
  if (chainId) {
    await recordCheckResults(db, scope.organizationId, { projectId, chainId, now }, checks);
  }
  if (calls.length > 0) {
    const config = await getConfig(db, projectId, session.projectVersion);
    const services = namedServices(config.services);
    await recordActions(
      db,
      scope.organizationId,
      calls.flatMap((call) =>
        matchCooldownAction(commandOf(call.input), services).map((match) => ({
          ...match,
          projectId,
          sessionId: session.id,
          source: 'command' as const,
          evidence: call.toolUseId,
          command: commandOf(call.input).slice(0, 2_000),
          at: now,
        })),
      ),
    );
  }
  await forgetActions(db, attempt.sessionId, refused);
  return results.length > 0 ? stopPastCooldown(db, scope, attempt, session, now) : attempt;
}

function commandOf(input: Record<string, unknown>): string {
  return typeof input.command === 'string' ? input.command : '';
}
