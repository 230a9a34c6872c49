import { ZodError } from 'zod';
import { AGENTS } from '@/lib/agents/registry';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { cutText } from '@/lib/platform/format/text';
import { onOneLine } from '@/lib/platform/format/visible-text';
import { encodeId } from '@/lib/platform/ids';
import { logger } from '@/lib/platform/logger';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { withdrawPending } from './approvals/withdraw';
import { type AttemptRow, lockAttempt } from './attempt/data';
import { endChain } from './chains/end-chain';
import { countAttempt, countChain } from './count-work';
import { countFailedTry, listSessionFacts, readSurroundings } from './ending/data';
import { outOfRangeIn, startedWith } from './ending/end-plan';
import { writeLedger } from './ending/write-ledger';
import { recordNotices } from './events/notices';
import type { FollowUp } from './follow-up';
import { kindOf } from './kinds/registry';
import { type ChainEnd, endFailed, endSession, markChainEnded } from './status-data';

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
    const attempt = await lockAttempt(db, attemptId);
    if (!attempt || attempt.settledAt !== null) return null;
    await countFailedTry(db, attempt, nextTry(attempt.settleFailures, now));
    return { ...attempt, settleFailures: attempt.settleFailures + 1 };
  });
  if (!failed || failed.settleFailures < SETTLE_TRIES) return null;
  const isBooked = await tryTo('book', () => bookFromEvents(scope, failed, now));
  const given: GivenUp = {
    reason: REASON,
    end: 'unknown',
    outcome: 'needs_human',
    sentence: sentenceOf(failed, isBooked),
    facts: { tries: failed.settleFailures },
  };
  return endGivenUp(scope, failed, given, now);
}

/** How many claims of an attempt may fail in a row with the same error. */
export const MAX_CLAIM_FAILURES = 5;

/**
 * Counts a claim that failed with an error, and ends the attempt and its chain after the last one, so that
 * work that can't be started never waits for ever. Until then, claims become possible at growing intervals.
 *
 * @returns what to enqueue if the attempt was given up; null while claims are left
 */
export async function recordFailedClaim(
  scope: TenantScope,
  attemptId: string,
  error: unknown,
  now: Date,
): Promise<FollowUp | null> {
  const claimError = errorText(error);
  const failed = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, attemptId);
    if (attempt?.status !== 'queued') return null;
    const isSame = attempt.claimError !== null && alike(attempt.claimError) === alike(claimError);
    const claimFailures = isSame ? attempt.claimFailures + 1 : 1;
    const notBefore = nextTry(claimFailures - 1, now);
    const data = { claimError, claimFailures, notBefore };
    await db.attempt.updateMany({ where: { id: attempt.id }, data });
    return { ...attempt, ...data };
  });
  if (!failed || failed.claimFailures < MAX_CLAIM_FAILURES) return null;
  const given: GivenUp = {
    reason: 'CLAIM_FAILED',
    end: 'start_failed',
    outcome: 'failed',
    sentence: `Tierwatch could not prepare this start: ${failed.claimFailures} claims in a row failed with the same error: “${claimError}”. Nothing was started. The whole error is in the web process’s log; report it, then start a new chain.`,
    facts: { claims: failed.claimFailures, error: claimError },
  };
  return endGivenUp(scopeOfSystem(scope.organizationId), failed, given, now);
}

const MAX_ERROR_CHARS = 200;

/** Returns what an error says, on one line: of one about data, the field and its problem. */
function errorText(error: unknown): string {
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    const field = issue?.path.map(String).join('.') ?? '';
    return cutText(onOneLine(`${field}: ${issue?.message ?? 'not valid'}`), MAX_ERROR_CHARS);
  }
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = createRedactor({ secrets: [] }).text(lines.at(-1) ?? 'no message');
  return cutText(onOneLine(last), MAX_ERROR_CHARS);
}

/** Ids, times and counts differ between two errors that are the same. */
function alike(text: string): string {
  return text.replace(/[0-9a-f]{8,}|\d+/gi, '#');
}

/** Why an attempt is given up, and how it and its chain end. */
interface GivenUp {
  reason: string;
  end: 'unknown' | 'start_failed';
  outcome: 'needs_human' | 'failed';
  sentence: string;
  facts: Record<string, unknown>;
}

async function endGivenUp(
  scope: TenantScope,
  attempt: AttemptRow,
  given: GivenUp,
  now: Date,
): Promise<FollowUp | null> {
  let followUp: FollowUp | null = null;
  const end = (announces: boolean) => async () => {
    followUp = await endUnsettled(scope, attempt, given, announces, now);
  };
  // The announcement reads the whole chain, and may be what fails.
  const isEnded = (await tryTo('end', end(true))) || (await tryTo('end', end(false)));
  if (!isEnded) {
    logger.error({ attemptId: attempt.id }, 'giving up the attempt failed completely');
  }
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
  return inTransaction(scope, async (db) => {
    const session = await db.session.findFirstOrThrow({ where: { id: attempt.sessionId } });
    const { start, resumed } = await readSurroundings(db, attempt, null);
    // Without a start there was no process.
    if (start === null) return;
    const agent = AGENTS[start.harness];
    const rows = await listSessionFacts(db, attempt.sessionId);
    const events = rows.flatMap((row) => (row.attemptId === attempt.id ? row.event : []));
    const result = events.findLast((event) => event.kind === 'result') ?? null;
    await writeLedger(
      db,
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
          resumed,
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
  given: GivenUp,
  announces: boolean,
  now: Date,
): Promise<FollowUp> {
  return inTransaction(scope, async (db) => {
    const current = await lockAttempt(db, attempt.id);
    if (!current || current.settledAt !== null || current.fence !== attempt.fence) return NOTHING;
    await db.attempt.updateMany({ where: { id: attempt.id }, data: { settledAt: now } });
    if (attempt.isResultLate) {
      logger.error({ attemptId: attempt.id }, 'late result not settled');
      return NOTHING;
    }
    const session = await endItsSession(db, attempt, given, now);
    countAttempt(db, kindOf(attempt).ledgerTier(session.tier), given.end);
    recordNotices(
      db,
      [
        {
          projectId: attempt.projectId,
          chainId: session.chainId,
          sessionId: session.id,
          level: 'critical',
          code: given.reason,
          message: given.sentence,
        },
      ],
      now,
    );
    if (session.chainId === null) return NOTHING;
    return endItsChain(db, scope, session.chainId, given, announces, now);
  });
}

async function endItsSession(
  db: TenantDb,
  attempt: AttemptRow,
  { reason, end, sentence, facts }: GivenUp,
  now: Date,
) {
  const { organizationId } = db;
  const { projectId, sessionId } = attempt;
  await endFailed(db, attempt, { end, text: sentence }, now);
  await endSession(db, sessionId, { status: 'failed', statusText: sentence }, now);
  const session = await db.session.findFirstOrThrow({ where: { id: sessionId } });
  const { chainId } = session;
  await db.decision.createMany({
    data: {
      ...{ organizationId, projectId, chainId, sessionId, attemptId: attempt.id },
      ...{ kind: 'after_end', verdict: 'end', reason, sentence },
      facts: toJson(facts),
      createdAt: now,
    },
  });
  await kindOf(attempt).endUnsettled(db, attempt, now);
  return session;
}

async function endItsChain(
  db: TenantDb,
  scope: TenantScope,
  chainId: string,
  { reason, sentence: statusText, outcome: ending }: GivenUp,
  announces: boolean,
  now: Date,
): Promise<FollowUp> {
  const chain = await db.chain.findFirstOrThrow({ where: { id: chainId } });
  const outcome = chain.stopRequestedAt === null ? ending : 'stopped';
  const end: ChainEnd = { outcome, reason, statusText, summary: '', servicesAffected: [] };
  if (announces) {
    return { attempt: null, jobs: await endChain(db, scope, chainId, end, [], now) };
  }
  await markChainEnded(db, chainId, { outcome, reason, statusText }, now);
  countChain(db, chain, outcome, now);
  await withdrawPending(db, scope, { chainId }, now);
  await recordAudit(db, scope, [
    {
      action: 'chain.ended',
      target: encodeId('chn', chainId),
      projectId: chain.projectId,
      detail: { number: chain.number, outcome, reason },
    },
  ]);
  return { attempt: null, jobs: [] };
}

function sentenceOf(attempt: AttemptRow, isBooked: boolean): string {
  const cost = isBooked ? 'Its cost is booked.' : 'Its cost could not be booked either.';
  return `Tierwatch could not save the result of this attempt after ${attempt.settleFailures} tries, so its report was not used. ${cost} Read the session's log for what the agent did, then start a new chain. The error is in the worker’s log.`;
}
