import { AGENTS } from '@/lib/agents/registry';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { logger } from '@/lib/platform/logger';
import { startSpecSchema } from '@/lib/protocol/spec';
import { withdrawPending } from './approvals/withdraw';
import { type AttemptRow, lockAttempt } from './attempt/data';
import { type ChainEnd, endChain } from './chains/end-chain';
import { countAttempt, countChain } from './count-work';
import { countFailedTry, listSessionFacts, readSurroundings } from './ending/data';
import { outOfRangeIn, startedWith } from './ending/end-plan';
import { writeLedger } from './ending/write-ledger';
import { recordNotices } from './events/notices';
import type { FollowUp } from './follow-up';
import { kindOf } from './kinds/registry';

/** Number of tries to settle an attempt before giving up, spread over about 75 s. */
export const SETTLE_TRIES = 5;
const FIRST_RETRY_SECONDS = 5;
const LONGEST_RETRY_SECONDS = 3_600;
const REASON = 'SETTLEMENT_FAILED';
const NOTHING: FollowUp = { attempt: null, jobs: [] };

/**
 * Counts a failed try to settle an attempt, and ends the attempt after the last one, so that an end
 * that can't be written never blocks its project. Retries become due at growing intervals, because
 * most database failures pass.
 *
 * @returns what to enqueue if the attempt was given up; null while there are tries left
 */
export async function recordFailedTry(
  scope: TenantScope,
  attemptId: string,
  now: Date,
): Promise<FollowUp | null> {
  const failed = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    if (!attempt || attempt.settledAt !== null) return null;
    await countFailedTry(db, attempt, nextTry(attempt.settleFailures, now));
    return { ...attempt, settleFailures: attempt.settleFailures + 1 };
  });
  if (!failed || failed.settleFailures < SETTLE_TRIES) return null;
  const isBooked = await tryTo('book', () => bookFromEvents(scope, failed, now));
  let followUp: FollowUp | null = null;
  const end = (announces: boolean) => async () => {
    followUp = await endUnsettled(scope, failed, { isBooked, announces }, now);
  };
  // The announcement reads the whole chain, and may be what fails.
  const isEnded = (await tryTo('end', end(true))) || (await tryTo('end', end(false)));
  if (!isEnded) logger.error({ attemptId }, 'giving up the attempt failed completely');
  return followUp;
}

function nextTry(failures: number, now: Date): Date {
  const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** failures, LONGEST_RETRY_SECONDS);
  return new Date(now.getTime() + seconds * 1_000);
}

async function tryTo(step: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    logger.error({ step, error: String(error) }, 'giving up the attempt failed partially');
    return false;
  }
}

/**
 * Books what it spent in a transaction of its own, because the ledger may be what could not be
 * written.
 */
function bookFromEvents(scope: TenantScope, attempt: AttemptRow, now: Date): Promise<void> {
  const { organizationId } = scope;
  return inTransaction(scope, async (db) => {
    const session = await db.session.findFirstOrThrow({ where: { id: attempt.sessionId } });
    // Without a start there was no process.
    if (attempt.start === null) return;
    const start = startSpecSchema.parse(attempt.start);
    const resumedId =
      start.continuation.mode === 'resume' ? start.continuation.parentCliSessionId : null;
    const agent = AGENTS[start.harness];
    const { resumed } = await readSurroundings(db, organizationId, attempt, resumedId);
    const rows = await listSessionFacts(db, organizationId, attempt.sessionId);
    const events = rows.flatMap((row) => (row.attemptId === attempt.id ? row.event : []));
    const result = events.findLast((event) => event.kind === 'result') ?? null;
    await writeLedger(
      db,
      scope,
      attempt,
      {
        project: { id: attempt.projectId },
        chain: session.chainId === null ? null : { id: session.chainId },
        session,
        tier: kindOf(attempt).ledgerTier(session.tier),
        // A try that got this far is taken back first.
        facts: { attempt: { isLate: true } },
      },
      {
        ledger: agent.book(
          events,
          resumedId === null ? null : resumed,
          startedWith({ attempt: { start, isLate: false }, parent: resumed }),
        ),
        priceTable: agent.prices.measuredOn,
        outOfRange: outOfRangeIn(events),
        result,
      },
      now,
    );
  });
}

function endUnsettled(
  scope: TenantScope,
  attempt: AttemptRow,
  { isBooked, announces }: { isBooked: boolean; announces: boolean },
  now: Date,
): Promise<FollowUp> {
  const { organizationId } = scope;
  return inTransaction(scope, async (db) => {
    const current = await lockAttempt(db, organizationId, attempt.id);
    if (!current || current.settledAt !== null) return NOTHING;
    const sentence = sentenceOf(attempt, isBooked);
    await db.attempt.updateMany({ where: { id: attempt.id }, data: { settledAt: now } });
    if (attempt.isResultLate) {
      logger.error({ attemptId: attempt.id }, 'late result not settled');
      return NOTHING;
    }
    const session = await endSession(db, scope, attempt, sentence, now);
    countAttempt(db, kindOf(attempt).ledgerTier(session.tier), 'unknown');
    recordNotices(
      db,
      organizationId,
      [
        {
          projectId: attempt.projectId,
          chainId: session.chainId,
          sessionId: session.id,
          level: 'critical',
          code: REASON,
          message: sentence,
        },
      ],
      now,
    );
    if (session.chainId === null) return NOTHING;
    return endItsChain(db, scope, session.chainId, sentence, announces, now);
  });
}

async function endSession(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  sentence: string,
  now: Date,
) {
  const { organizationId } = scope;
  const { projectId, sessionId } = attempt;
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      status: 'ended',
      end: 'unknown',
      endText: sentence,
      endedAt: now,
      // Without a result its runner was lost, and whatever that runner sends later carries an old
      // number.
      ...(attempt.result === null ? { fence: attempt.fence + 1 } : {}),
    },
  });
  await db.session.updateMany({
    where: { id: sessionId, endedAt: null },
    data: { status: 'failed', statusText: sentence, endedAt: now },
  });
  const session = await db.session.findFirstOrThrow({ where: { id: sessionId } });
  const { chainId } = session;
  await db.decision.createMany({
    data: {
      ...{ organizationId, projectId, chainId, sessionId, attemptId: attempt.id },
      ...{ kind: 'after_end', verdict: 'end', reason: REASON, sentence },
      facts: toJson({ tries: attempt.settleFailures }),
      createdAt: now,
    },
  });
  await kindOf(attempt).endUnsettled(db, scope, attempt, now);
  return session;
}

async function endItsChain(
  db: TenantDb,
  scope: TenantScope,
  chainId: string,
  statusText: string,
  announces: boolean,
  now: Date,
): Promise<FollowUp> {
  const chain = await db.chain.findFirstOrThrow({ where: { id: chainId } });
  const outcome = chain.stopRequestedAt === null ? 'needs_human' : 'stopped';
  const end: ChainEnd = { outcome, reason: REASON, statusText, summary: '', servicesAffected: [] };
  if (announces) {
    return { attempt: null, jobs: await endChain(db, scope, chainId, end, [], now) };
  }
  await db.chain.updateMany({
    where: { id: chainId, status: { not: 'ended' } },
    data: { status: 'ended', outcome, outcomeReason: REASON, statusText, endedAt: now },
  });
  countChain(db, chain, outcome, now);
  await withdrawPending(db, scope, { chainId }, now);
  await recordAudit(db, scope, [
    {
      action: 'chain.ended',
      target: encodeId('chn', chainId),
      projectId: chain.projectId,
      detail: { number: chain.number, outcome, reason: REASON },
    },
  ]);
  return { attempt: null, jobs: [] };
}

function sentenceOf(attempt: AttemptRow, isBooked: boolean): string {
  const cost = isBooked ? 'Its cost is booked.' : 'Its cost could not be booked either.';
  return `Tierwatch could not save the result of this attempt after ${attempt.settleFailures} tries, so its report was not used. ${cost} Read the session's log for what the agent did, then start a new chain. The error is in the worker’s log.`;
}
