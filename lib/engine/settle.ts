import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { logger } from '@/lib/platform/logger';
import { type AttemptResult, attemptResultSchema, NOTHING_RAN } from '@/lib/protocol/schema';
import { type AttemptRow, lockAttempt } from './attempt/data';
import { enqueueFollowUp, type FollowUp } from './follow-up';
import { recordFailedTry } from './give-up';
import { kindOf } from './kinds/registry';

/**
 * Turns the end of an attempt into everything that follows from it, in one transaction: ledger,
 * report, pointer, handoff, decision, next start or outcome, messages, audit. Running it again
 * after an interruption does nothing twice. A failure is retried later, and given up after a few
 * tries.
 *
 * @throws Error only if the failure itself can't be recorded, for example without a database
 */
export async function settleAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<void> {
  await settleOrCount(scope, attemptId, now, async (db) => {
    const attempt = await lockAttempt(db, attemptId);
    if (!attempt || attempt.result === null || attempt.settledAt !== null) return null;
    if (attempt.settleRetryAt !== null && attempt.settleRetryAt > now) return null;
    return settle(db, scope, attempt, attemptResultSchema.parse(attempt.result), now);
  });
}

/**
 * Ends an attempt whose lease has expired: nobody will report a result under its fencing number.
 *
 * @throws Error if that could not be written and there are tries left
 */
export async function settleLostAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<void> {
  const isDone = await settleOrCount(scope, attemptId, now, async (db) => {
    const attempt = await lockAttempt(db, attemptId);
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

/** @returns false if the try failed and others are left */
async function settleOrCount(
  scope: TenantScope,
  attemptId: string,
  now: Date,
  work: (db: TenantDb) => Promise<FollowUp | null>,
): Promise<boolean> {
  try {
    await enqueueFollowUp(await inTransaction(scope, work));
    return true;
  } catch (error) {
    logger.error({ attemptId, error: String(error) }, 'attempt settlement failed');
    const followUp = await recordFailedTry(scope, attemptId, now);
    await enqueueFollowUp(followUp);
    return followUp !== null;
  }
}

function lostResult(attempt: AttemptRow, now: Date): AttemptResult {
  return {
    ...NOTHING_RAN,
    fence: attempt.fence,
    lastSeq: attempt.ackedSeq,
    startedAt: attempt.startedAt?.toISOString() ?? null,
    endedAt: now.toISOString(),
    startError: { code: 'runner_restarted', message: 'The runner stopped responding.' },
  };
}

/** Settles a locked attempt with an unsettled result, inside of a transaction. */
export function settle(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  result: AttemptResult,
  now: Date,
): Promise<FollowUp> {
  return kindOf(attempt).settle(db, scope, attempt, result, now);
}
