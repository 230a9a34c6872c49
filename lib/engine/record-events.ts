import { beforeCommit } from '@/lib/platform/db/raw';
import { updateRow } from '@/lib/platform/db/rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { notifySession } from '@/lib/platform/live/hint';
import { getConfig, recordCheckResults } from '@/lib/projects/project-rows';
import { namedServices } from '@/lib/projects/service-names';
import { type ConfinementState, isConfined } from '@/lib/protocol/confinement';
import type { CommandEvent, RunnerEvent, ToolCallEvent } from '@/lib/protocol/events';
import type { EventsRequest, EventsResponse } from '@/lib/protocol/schema';
import { settleNotRun } from './approvals/withdraw';
import { findStanding, type Standing } from './attempt/context-data';
import { type AttemptRow, isCurrentRun, keyOf, lockAttempt } from './attempt/data';
import { keepCheckpoints, withoutDigest } from './checkpoints/keep-checkpoints';
import { keepCommands } from './commands/command-rows';
import { forgetActions, listCountedActions, recordActions } from './cooldowns/action-rows';
import { matchCooldownAction } from './cooldowns/rules';
import { cooldownSentence, passedByOwnAction } from './cooldowns/state';
import { directivesFor } from './directives';
import { boundedEvent, boundedTime, clockText, lateRefusal } from './events/bounds';
import { appendSessionEvents, listAnsweredCalls, readUnfinished } from './events/data';
import { recordNotices } from './events/notices';
import { grownBy } from './events/unfinished';
import { kindOf } from './kinds/registry';
import { markStopping, processStarted } from './status-data';
import { withheldOf } from './withheld-checks';

type Batch = EventsRequest['batches'][number];

/** Columns of the attempt that its events set. */
interface ProcessFacts {
  command?: CommandEvent;
  status?: 'running';
  startedAt?: Date;
  confirmedCliSessionId?: string | null;
  cliVersion?: string | null;
  confinement?: ConfinementState | null;
}

/**
 * Stores batches of events in order, each exactly once. A runner numbers events without gaps, so
 * numbers up to the highest stored one are repeats. Attempts of other runners aren't acknowledged,
 * and neither is anything behind a gap.
 *
 * Pieces of an answer are stored with the attempt and not in the session's stream, which later
 * contains the whole message.
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
    response.directives.push(...directivesFor(stored, batch.fence));
  }
  return response;
}

/**
 * Stores one batch, inside of a transaction.
 *
 * @returns the attempt after that, locked; null for an attempt of another runner, or one that ended
 *   too long ago, of which nothing is stored
 */
export async function recordBatch(
  db: TenantDb,
  scope: TenantScope,
  batch: Batch,
  now: Date,
): Promise<AttemptRow | null> {
  const attempt = await lockAttempt(db, batch.attemptId);
  if (!attempt || attempt.runnerId !== scope.actor.id) return null;
  const sent = newEvents(batch, attempt.ackedSeq);
  const fresh = sent.map((entry) => bounded(entry, attempt, now));
  const last = fresh.at(-1);
  if (!last) return attempt;
  const bytes = fresh.reduce((sum, entry) => sum + entry.bytes, 0);
  const refusal = lateRefusal(attempt, { events: fresh.length, bytes }, now);
  if (refusal !== null) {
    await noteRefusal(db, attempt, refusal, now);
    return null;
  }
  const isLate = !isCurrentRun(attempt, batch.fence);
  const events = fresh.map(({ event }) => event);
  const lasting = fresh.filter(({ event }) => event.kind !== 'answer_part');
  if (lasting.length > 0) {
    appendSessionEvents(
      db,
      attempt.sessionId,
      lasting.map(({ seq, at, event, clockOffSeconds }) => ({
        attemptId: attempt.id,
        attemptSeq: seq,
        kind: event.kind,
        at: new Date(at),
        payload: withoutDigest(event),
        isLate,
        clockOffSeconds,
      })),
    );
  } else if (!isLate) await notifySession(db, attempt.sessionId);
  const before = readUnfinished(attempt.unfinishedAnswer);
  const unfinished = isLate ? before : grownBy(before, events);
  const kept = {
    ackedSeq: last.seq,
    ...(attempt.endedAt === null
      ? {}
      : {
          lateEvents: attempt.lateEvents + fresh.length,
          lateBytes: attempt.lateBytes + bytes,
        }),
    ...(await noteClock(db, attempt, fresh, now)),
    ...processFacts(attempt, events, now),
  };
  const written = unfinished === before ? kept : { ...kept, unfinishedAnswer: unfinished };
  beforeCommit(db, updateRow(db, 'attempt', keyOf(attempt), written));
  if (kept.confirmedCliSessionId && !isLate) {
    const session = { organizationId: attempt.organizationId, id: attempt.sessionId };
    const { confirmedCliSessionId: cliSessionId } = kept;
    beforeCommit(db, updateRow(db, 'session', session, { cliSessionId }));
  }
  keepCommands(db, attempt, fresh);
  const stored = { ...attempt, ...kept, unfinishedAnswer: unfinished };
  const standing = events.some(affectsState) ? await findStanding(db, attempt.sessionId) : null;
  const answered = standing ? await keepCheckpoints(db, stored, standing, fresh, isLate) : stored;
  await kindOf(answered).keepEvents(db, answered, fresh, isLate);
  if (isLate) return answered;
  await settleNotRun(db, scope, answered, events, now);
  return standing ? keepWorldFacts(db, answered, standing, events, now) : answered;
}

/** An event as it is stored: its size and its time are bounded. */
function bounded({ seq, at, event }: Batch['events'][number], attempt: AttemptRow, now: Date) {
  const time = boundedTime(new Date(at), attempt.claimedAt ?? now, now);
  const clockOffSeconds = time.offSeconds;
  return { seq, at: time.at.toISOString(), clockOffSeconds, ...boundedEvent(event) };
}

/** Says in the session's stream that events after the end were refused, once. */
async function noteRefusal(
  db: TenantDb,
  attempt: AttemptRow,
  refusal: string,
  now: Date,
): Promise<void> {
  if (attempt.lateRefusedAt !== null) return;
  await db.attempt.updateMany({ where: { id: attempt.id }, data: { lateRefusedAt: now } });
  const message = `Events of attempt ${attempt.number} were refused, since ${refusal}. The runner keeps them in the folder “refused” of its own folder.`;
  await appendNotice(db, attempt, 'LATE_EVENTS_REFUSED', message, now);
}

/** Says in the session's stream that the runner's clock was off, once for each attempt. */
async function noteClock(
  db: TenantDb,
  attempt: AttemptRow,
  events: readonly { clockOffSeconds: number | null }[],
  now: Date,
): Promise<{ clockOffSeconds?: number }> {
  const off = events.map((event) => event.clockOffSeconds ?? 0);
  const largest = off.reduce((worst, one) => (Math.abs(one) > Math.abs(worst) ? one : worst), 0);
  if (Math.abs(largest) <= Math.abs(attempt.clockOffSeconds ?? 0)) return {};
  if (attempt.clockOffSeconds === null) {
    const message = `The clock of the runner was ${clockText(largest)}. Times of such events were moved into the attempt.`;
    await appendNotice(db, attempt, 'RUNNER_CLOCK', message, now);
  }
  return { clockOffSeconds: largest };
}

async function appendNotice(
  db: TenantDb,
  attempt: AttemptRow,
  code: string,
  message: string,
  now: Date,
): Promise<void> {
  const payload = { kind: 'notice', level: 'warning', code, message };
  appendSessionEvents(db, attempt.sessionId, [
    { attemptId: attempt.id, attemptSeq: null, kind: 'notice', at: now, payload },
  ]);
}

/** Returns whether an event carries more than what the stream stores. */
function affectsState(event: RunnerEvent): boolean {
  return ['checkpoint', 'check_result', 'tool_result'].includes(event.kind) || isShellCall(event);
}

function isShellCall(event: RunnerEvent): event is ToolCallEvent {
  return event.kind === 'tool_call' && event.tool === 'Bash';
}

/** Returns the events that continue what is stored, up to the first gap. */
function newEvents(batch: Batch, ackedSeq: number): Batch['events'] {
  let expected = ackedSeq + 1;
  return batch.events.filter((entry) => {
    if (entry.seq !== expected) return false;
    expected += 1;
    return true;
  });
}

/** Returns what the process reports about itself: its command, its start, its conversation's id. */
function processFacts(
  { status }: AttemptRow,
  events: readonly RunnerEvent[],
  now: Date,
): ProcessFacts {
  const facts: ProcessFacts = {};
  for (const event of events) {
    if (event.kind === 'command') {
      facts.command = event;
      facts.confinement = event.confinement ?? null;
    }
    if (event.kind === 'process' && event.phase === 'started' && status === 'claimed') {
      Object.assign(facts, processStarted(now));
    }
    if (event.kind === 'init') {
      facts.confirmedCliSessionId = event.cliSessionId;
      facts.cliVersion = event.cliVersion;
    }
  }
  return facts;
}

/**
 * Stores what the events report about the systems: check results, and actions that count for
 * cooldowns.
 */
async function keepWorldFacts(
  db: TenantDb,
  attempt: AttemptRow,
  standing: Standing,
  events: readonly RunnerEvent[],
  now: Date,
): Promise<AttemptRow> {
  const checks = events.filter((event) => event.kind === 'check_result');
  // What a confined agent has run outside was counted before it ran.
  const calls = isConfined(attempt) ? [] : events.filter(isShellCall);
  const results = events.filter((event) => event.kind === 'tool_result');
  const refused = results.flatMap((result) => (result.denied ? [result.toolUseId] : []));
  const { projectId, sessionId } = attempt;
  const { chainId } = standing;
  // Checks of a conversation don't change the stored health, which comes from chains only.
  if (chainId) {
    const withheld = await withheldOf(db, attempt, standing.frozenVersion, checks);
    const { monitoring } = await getConfig(db, projectId, standing.liveVersion);
    const at = { projectId, chainId, now, setsState: monitoring.everySeconds === null };
    recordCheckResults(db, db.organizationId, at, [...withheld, ...checks]);
  }
  if (calls.length > 0) {
    const config = await getConfig(db, projectId, standing.frozenVersion);
    const services = namedServices(config.services);
    recordActions(
      db,
      calls.flatMap((call) =>
        matchCooldownAction(commandOf(call.input), services).map((match) => ({
          ...match,
          projectId,
          sessionId,
          evidence: call.toolUseId,
          command: commandOf(call.input).slice(0, 2_000),
          at: now,
        })),
      ),
    );
  }
  await forgetActions(db, sessionId, refused);
  return results.length > 0 ? stopPastCooldown(db, attempt, standing, now) : attempt;
}

function commandOf(input: Record<string, unknown>): string {
  return typeof input.command === 'string' ? input.command : '';
}

/**
 * Stops an attempt that exceeded a cooldown, by the current rules. A command counts once its result
 * is stored, because a refused one has done nothing.
 *
 * @returns the attempt after that
 */
async function stopPastCooldown(
  db: TenantDb,
  attempt: AttemptRow,
  { tier, chainId, liveVersion }: Standing,
  now: Date,
): Promise<AttemptRow> {
  if (attempt.stopRequestedAt || !attempt.runnerId) return attempt;
  const { projectId, sessionId } = attempt;
  const { cooldowns, services } = await getConfig(db, projectId, liveVersion);
  const actions = await listCountedActions(db, projectId, cooldowns, now);
  const passed = (counted: typeof actions) =>
    passedByOwnAction(sessionId, cooldowns, counted, namedServices(services), now);
  if (!passed(actions)) return attempt;
  const isOwn = (action: (typeof actions)[number]) => action.sessionId === sessionId;
  const calls = actions.filter(isOwn).map((action) => action.evidence);
  const answered = await listAnsweredCalls(db, sessionId, calls);
  const rule = passed(
    actions.filter((action) => !isOwn(action) || answered.includes(action.evidence)),
  );
  if (!rule) return attempt;
  const stopping = await markStopping(db, attempt, { cause: 'cooldown' }, now);
  const message = `Tier ${tier} is being stopped. ${cooldownSentence(rule)}`;
  const about = { projectId, chainId, sessionId };
  recordNotices(
    db,
    [{ ...about, level: 'critical', code: 'COOLDOWN', message, service: rule.service }],
    now,
  );
  return { ...attempt, ...stopping };
}
