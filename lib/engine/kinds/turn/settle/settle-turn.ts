import { v7 as uuidv7 } from 'uuid';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { countAttempt } from '@/lib/engine/count-work';
import {
  listSessionFacts,
  readSurroundings,
  writePointer,
  writeWindow,
} from '@/lib/engine/ending/data';
import { type EndPlan, NOT_COUNTED_AS_RETRY, planEnd } from '@/lib/engine/ending/end-plan';
import { reportChangedConversation } from '@/lib/engine/ending/report-changed-conversation';
import { sessionToolCalls, silenceFacts } from '@/lib/engine/ending/tool-calls';
import { bookEnd } from '@/lib/engine/ending/write-ledger';
import { keepUnfinishedAnswer } from '@/lib/engine/events/data';
import { recordNotices } from '@/lib/engine/events/notices';
import type { FollowUp } from '@/lib/engine/follow-up';
import { getSpending } from '@/lib/engine/ledger-data';
import { endAttempt, writeSettledSession } from '@/lib/engine/status-data';
import { ASK_TIER } from '@/lib/engine/statuses';
import { queueOf } from '@/lib/fleet/queues';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { getConfig } from '@/lib/projects/project-rows';
import type { AttemptResult } from '@/lib/protocol/schema';
import { readTurnContext } from '../claim/data';
import { cancelQuestions, insertTurnAttempt, writeAnswer } from '../data';
import { eraseSessions } from '../erase-data';
import { decideTurnEnd, type TurnEnd } from './turn-end';

type Rows = Awaited<ReturnType<typeof loadRows>>;

/**
 * Settles the locked attempt of a turn: books its cost, stores answer, pointer and decision, and
 * starts another process if one follows.
 */
export async function settleTurn(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  result: AttemptResult,
  now: Date,
): Promise<FollowUp> {
  const rows = await loadRows(db, attempt, result);
  const plan = planEnd(rows.facts, null);
  const { isLate } = rows.facts.attempt;
  const end = isLate ? null : endOf(attempt, rows, plan);
  const { budgets } = await getConfig(db, rows.project.id, rows.project.currentVersion);
  const before = await getSpending(db, rows.project.id, null, now);
  const jobs = await bookEnd(db, scope, attempt, rows, plan, { budgets, before }, now);
  endAttempt(db, attempt, result, { ...plan, step: end }, now);
  if (end) countAttempt(db, ASK_TIER, plan.classified.end);
  await writePointer(db, attempt, rows, pinned(plan, end), now);
  writeWindow(db, rows, plan, now);
  await reportChangedConversation(db, scope, rows, plan, now);
  await cancelQuestions(db, attempt.id, now);
  keepUnfinishedAnswer(db, attempt, now);
  if (rows.conversation.deletedAt) {
    await eraseSessions(db, [attempt.sessionId]);
  }
  if (!end) return { attempt: null, jobs };
  await writeEnd(db, attempt, rows, plan, end, now);
  const next = await startNext(db, attempt, end, now);
  return { attempt: next, jobs };
}

async function loadRows(db: TenantDb, attempt: AttemptRow, result: AttemptResult) {
  const context = await readTurnContext(db, attempt.sessionId, attempt.runnerId);
  const { start, earlier, resumed } = await readSurroundings(db, attempt, null);
  const events = await listSessionFacts(db, attempt.sessionId);
  return {
    ...context,
    chain: null,
    tier: ASK_TIER,
    earlier,
    /** Of all attempts, late ones included. */
    calls: sessionToolCalls(events, start?.harness ?? null),
    facts: {
      attempt: { start, isLate: attempt.isResultLate },
      runnerName: context.runner?.name ?? '—',
      result,
      events: events.flatMap((row) => (row.attemptId === attempt.id ? row.event : [])),
      parent: resumed,
    },
  };
}

function endOf(attempt: AttemptRow, rows: Rows, { classified, result }: EndPlan): TurnEnd {
  const { earlier, calls, facts, turn } = rows;
  const { events } = facts;
  const hasFallenBack = [...earlier, attempt].some(({ onlyMode }) => onlyMode === 'transcript');
  const text = result?.text?.trim() ?? '';
  return decideTurnEnd({
    ...classified,
    answer: text === '' ? null : createRedactor({ secrets: [] }).text(text),
    isResumed: facts.attempt.start?.continuation.mode === 'resume',
    toolCalls: calls.length,
    silence: silenceFacts(classified, {
      isContinuation: attempt.purpose === 'continue',
      events,
      harness: facts.attempt.start?.harness ?? null,
      reported: attempt.result === null ? null : facts.result,
      earlier: earlier.map(({ end, purpose }) => ({ end, isContinuation: purpose === 'continue' })),
    }),
    hasFallenBack,
    retriesUsed: earlier.filter(
      ({ onlyMode, end }) =>
        (onlyMode === 'transcript') === hasFallenBack &&
        !(end && NOT_COUNTED_AS_RETRY.includes(end)),
    ).length,
    isStopped: attempt.stopRequestedAt !== null || turn.cutAt !== null,
  });
}

/**
 * Returns the plan with a pointer only for a turn that was answered, or continues. A late result
 * (no end) is never offered.
 */
function pinned(plan: EndPlan, end: TurnEnd | null): EndPlan {
  const isOffered = end === null || end.kind === 'answered' || end.kind === 'continue';
  return plan.pointer !== 'confirmed' || isOffered ? plan : { ...plan, pointer: null };
}

async function writeEnd(
  db: TenantDb,
  attempt: AttemptRow,
  { session, project, turn }: Rows,
  plan: EndPlan,
  end: TurnEnd,
  now: Date,
): Promise<void> {
  const standing = standingOf(end, turn.stoppedBy);
  const hasEnded = end.kind === 'answered' || end.kind === 'ended';
  const turns = plan.result?.numTurns ?? 0;
  const wait = { isEnded: hasEnded, waitReason: hasEnded ? null : ('retry' as const) };
  writeSettledSession(db, session.id, { ...standing, ...wait, turns, report: null }, now);
  if (end.kind === 'answered') await writeAnswer(db, turn.id, end.answer);
  await db.decision.createMany({
    data: {
      organizationId: db.organizationId,
      projectId: project.id,
      sessionId: session.id,
      attemptId: attempt.id,
      kind: 'after_end',
      verdict: end.kind,
      reason: end.kind === 'answered' ? plan.classified.end.toUpperCase() : end.reason,
      sentence: standing.statusText,
      facts: toJson({
        end: plan.classified.end,
        contextTokens: plan.contextTokens,
        contextWindow: plan.contextWindow,
      }),
      createdAt: now,
    },
  });
  if (end.kind !== 'continue') return;
  const about = { projectId: project.id, chainId: null, sessionId: session.id };
  const notice = { ...about, level: 'warning', code: 'STALLED', message: end.sentence } as const;
  recordNotices(db, [notice], now);
}

function standingOf(end: TurnEnd, stoppedBy: string | null) {
  switch (end.kind) {
    case 'answered':
      return { status: 'completed', statusText: 'Answered.' };
    case 'again':
    case 'continue':
      return { status: 'queued', statusText: end.sentence };
    case 'ended':
      return end.status === 'stopped' && stoppedBy
        ? { status: end.status, statusText: `Stopped by ${stoppedBy}.` }
        : { status: end.status, statusText: end.sentence };
  }
}

/**
 * Queues the turn's next process.
 *
 * @returns its wake-up job; null if there is none, or if its time has not come
 */
async function startNext(
  db: TenantDb,
  attempt: AttemptRow,
  end: TurnEnd,
  now: Date,
): Promise<FollowUp['attempt']> {
  if (end.kind === 'answered' || end.kind === 'ended') return null;
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const next = {
    id: uuidv7(),
    projectId: attempt.projectId,
    sessionId: attempt.sessionId,
    number: attempt.number + 1,
    poolId: attempt.poolId,
    waitUntil: inSeconds(HOST_WAIT_SECONDS),
    ...nextOf(attempt, end),
  };
  const notBefore =
    end.kind === 'again' && end.afterSeconds > 0 ? inSeconds(end.afterSeconds) : null;
  await insertTurnAttempt(db, { ...next, notBefore }, now);
  return notBefore ? null : { queue: queueOf(next), attemptId: next.id };
}

function nextOf(attempt: AttemptRow, end: Extract<TurnEnd, { kind: 'again' | 'continue' }>) {
  if (end.kind === 'continue') {
    // Its own conversation is on the host that ran it.
    return { purpose: 'continue', onlyMode: null, requiredRunnerId: attempt.runnerId } as const;
  }
  const { onlyMode } = end;
  // Every host can start from the transcript.
  const requiredRunnerId = onlyMode === null ? attempt.requiredRunnerId : null;
  return { purpose: 'ask', onlyMode, requiredRunnerId } as const;
}

/**
 * How long a turn waits for the one host that holds its conversation, in seconds. Short, because a
 * person waits too.
 */
export const HOST_WAIT_SECONDS = 30;
