import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import { type AttemptResult, attemptResultSchema } from '@/lib/protocol/schema';
import { type AttemptRow, lockAttempt } from './attempt/data';
import { budgetsCrossed } from './domain-events';
import { endAttempt, writePointer, writeWindow } from './ending/data';
import { reportChangedConversation } from './ending/report-changed-conversation';
import { writeLedger } from './ending/write-ledger';
import { recordFailedTry } from './give-up';
import { noteBudgets } from './kinds/tier/settle/book-attempt';
import { loadSettlementFacts } from './kinds/tier/settle/load-facts';
import { planSettlement } from './kinds/tier/settle/plan';
import { writeStep } from './kinds/tier/settle/write-step';
import { settleTurn } from './kinds/turn/settle/settle-turn';
import { type Rings, ringAll } from './rings';

/**
 * Turns the end of an attempt into everything that follows from it, in one transaction: ledger,
 * report, pointer, handoff, decision, next start or outcome, messages, audit. Running it again
 * after any interruption does nothing twice. What cannot be written is tried again later, and
 * given up after a few tries.
 *
 * @throws Error only where the failure itself cannot be recorded, such as without a database
 */
export async function settleAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<void> {
  await settleOrCount(scope, attemptId, now, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    if (!attempt || attempt.result === null || attempt.settledAt !== null) return null;
    if (attempt.settleRetryAt !== null && attempt.settleRetryAt > now) return null;
    return settle(db, scope, attempt, attemptResultSchema.parse(attempt.result), now);
  });
}

/**
 * Ends an attempt whose runner is gone: nobody will report a result under its fencing number.
 *
 * @throws Error where that could not be written and there are tries left
 */
export async function settleLostAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<void> {
  const isDone = await settleOrCount(scope, attemptId, now, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    const isGone =
      attempt &&
      attempt.result === null &&
      ['claimed', 'running', 'stopping'].includes(attempt.status) &&
      attempt.leaseExpiresAt !== null &&
      attempt.leaseExpiresAt < now;
    return isGone ? settle(db, scope, attempt, lostResult(attempt, now), now) : null;
  });
  if (!isDone) throw new Error('The attempt is left for another try.');
}

/** @returns false where the try failed and others are left */
async function settleOrCount(
  scope: TenantScope,
  attemptId: string,
  now: Date,
  work: (db: TenantDb) => Promise<Rings | null>,
): Promise<boolean> {
  try {
    await ringAll(await inTransaction(scope, work));
    return true;
  } catch (error) {
    logger.error({ attemptId, error: String(error) }, 'an attempt could not be settled');
    const rings = await recordFailedTry(scope, attemptId, now);
    await ringAll(rings);
    return rings !== null;
  }
}

function lostResult(attempt: AttemptRow, now: Date): AttemptResult {
  return {
    protocol: 1,
    fence: attempt.fence,
    lastSeq: attempt.ackedSeq,
    startedAt: attempt.startedAt?.toISOString() ?? null,
    endedAt: now.toISOString(),
    startError: { code: 'runner_restarted', message: 'The runner stopped answering.' },
    exit: null,
    stopCause: null,
    stderrTail: '',
    transcriptSeen: false,
    transcript: null,
    handoffFile: { state: 'not_expected' },
    leftoversKilled: 0,
  };
}

/** Inside of a transaction that has locked the attempt, whose result is not settled yet. */
export async function settle(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  result: AttemptResult,
  now: Date,
): Promise<Rings> {
  if (attempt.purpose === 'ask') return settleTurn(db, scope, attempt, result, now);
  const rows = await loadSettlementFacts(db, scope, attempt, result, env(), now);
  const plan = planSettlement(rows.facts, now);
  await writeLedger(db, scope, attempt, rows, plan, now);
  const crossed = await noteBudgets(db, scope, rows, now);
  const about = { projectId: rows.project.id, chainId: rows.chain.id };
  const warned =
    crossed.length > 0 ? await publish(db, scope, budgetsCrossed, { ...about, crossed }, now) : [];
  await endAttempt(db, attempt, result, plan, now);
  await writePointer(db, scope, attempt, rows, plan, now);
  await writeWindow(db, scope, rows, plan, now);
  await reportChangedConversation(db, scope, rows, plan, now);
  if (!plan.step) return { attempt: null, jobs: warned };
  const rings = await writeStep(db, scope, attempt, rows, plan, plan.step, now);
  return { ...rings, jobs: [...warned, ...rings.jobs] };
}
