import { poolQueue, runnerQueue } from '@/lib/fleet/queues';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { beforeCommit } from '@/lib/platform/db/raw';
import { updateRow } from '@/lib/platform/db/rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { AppError, ConflictError, NotFoundError } from '@/lib/platform/errors';
import { logger } from '@/lib/platform/logger';
import { enqueue } from '@/lib/platform/queue/enqueue';
import { settleAttemptJob } from '@/lib/platform/queue/jobs';
import type { AttemptResult, ResultRequest } from '@/lib/protocol/schema';
import type { AttemptSpec } from '@/lib/protocol/spec';
import { type AttemptRow, findClaimedNext, isCurrentRun, keyOf, lockAttempt } from './attempt/data';
import { afterClaim, type ClaimAnswer, claim } from './claim';
import { enqueueFollowUp, type FollowUp } from './follow-up';
import { recordBatch, recordEvents } from './record-events';
import { settle } from './settle';

interface TakenResult {
  /** False for a late result, which is stored and decides nothing. */
  decides: boolean;
  /** The next attempt, if this runner may claim it: it doesn't have to wait for the wake-up job. */
  nextAttemptId: string | null;
  /** The same attempt, already claimed for this runner. */
  next: AttemptSpec | null;
}

/**
 * Stores a result with the last events before it, and settles it in the same transaction, because
 * the next tier waits for both. If it can't be settled now, it is still stored, and a worker
 * settles it. The next attempt is claimed in the same transaction for a runner that has a free slot,
 * which saves a request; if the answer is lost, the repeat of the result names the same attempt.
 *
 * @throws ConflictError while events up to the result's last one are missing
 */
export async function takeResult(
  scope: TenantScope,
  attemptId: string,
  request: ResultRequest,
  now = new Date(),
): Promise<TakenResult> {
  const { events, claimsNext, processId, ...result } = request;
  const last = { attemptId, fence: result.fence, events };
  try {
    return await settleResult(scope, attemptId, request, now);
  } catch (error) {
    if (error instanceof ClaimFailedError) {
      // Doesn't affect the result: the runner claims on its own, or waits.
      logger.error({ attemptId, error: String(error.cause) }, 'claim of the next attempt failed');
      return takeResult(scope, attemptId, { ...request, claimsNext: false }, now);
    }
    // Stores why the events were refused, which the transaction has taken back.
    if (error instanceof NotFoundError && events.length > 0) await recordEvents(scope, [last], now);
    if (error instanceof AppError) throw error;
    const said = 'settlement failed; the worker will retry it';
    logger.error({ attemptId, error: String(error) }, said);
    if (events.length > 0) await recordEvents(scope, [last], now);
    const recorded = await recordResult(scope, attemptId, result, now);
    return { ...recorded, next: null };
  }
}

async function settleResult(
  scope: TenantScope,
  attemptId: string,
  { events, claimsNext, processId, ...result }: ResultRequest,
  now: Date,
): Promise<TakenResult> {
  const system = scopeOfSystem(scope.organizationId);
  const { decides, followUp, nextAttemptId, claimed } = await inTransaction(scope, async (db) => {
    const locked =
      events.length > 0
        ? await recordBatch(db, scope, { attemptId, fence: result.fence, events }, now)
        : await lockAttempt(db, attemptId);
    const { attempt, isNew } = keepResult(db, scope, locked, result, now);
    const followUp = isNew ? await settle(db, system, attempt, result, now) : null;
    const nextAttemptId = isNew
      ? nextFor(scope.actor.id, attempt.poolId, followUp)
      : await findClaimedNext(db, attempt);
    const isClaimed = claimsNext && nextAttemptId !== null;
    const claimed = isClaimed ? await claimNext(db, scope, nextAttemptId, processId, now) : null;
    return { decides: !attempt.isResultLate, followUp, nextAttemptId, claimed };
  });
  // Not awaited, because the next tier waits for the answer. The sweep enqueues again what is lost.
  void enqueueFollowUp(claimed && 'spec' in claimed ? withoutAttempt(followUp) : followUp);
  const next =
    claimed && nextAttemptId ? await claimedSpec(scope, nextAttemptId, claimed, now) : null;
  return { decides, nextAttemptId, next };
}

/** The runner already has the next attempt; a claim for its job would only be refused. */
function withoutAttempt(followUp: FollowUp | null): FollowUp | null {
  return followUp && { ...followUp, attempt: null };
}

async function claimedSpec(
  scope: TenantScope,
  attemptId: string,
  answer: ClaimAnswer,
  now: Date,
): Promise<AttemptSpec | null> {
  try {
    return await afterClaim(scope, attemptId, answer, now);
  } catch (error) {
    if (!(error instanceof ConflictError)) {
      logger.error({ attemptId, error: String(error) }, 'claim of the next attempt failed');
    }
    return null;
  }
}

function nextFor(runnerId: string, poolId: string, followUp: FollowUp | null): string | null {
  const next = followUp?.attempt;
  const own = [poolQueue(poolId), runnerQueue(runnerId)];
  return next && own.includes(next.queue) ? next.attemptId : null;
}

/** The settlement was fine, but its transaction also has a claim that is not. */
class ClaimFailedError extends Error {}

async function claimNext(
  db: TenantDb,
  scope: TenantScope,
  attemptId: string,
  processId: string | undefined,
  now: Date,
): Promise<ClaimAnswer> {
  try {
    return await claim(db, scope, attemptId, processId ?? null, now);
  } catch (cause) {
    throw new ClaimFailedError('The next attempt could not be claimed.', { cause });
  }
}

/**
 * Stores the result of an attempt, once; a worker's job settles it. A repeat gets the same answer.
 *
 * @throws ConflictError while events up to the result's last one are missing
 */
export async function recordResult(
  scope: TenantScope,
  attemptId: string,
  result: AttemptResult,
  now = new Date(),
): Promise<Pick<TakenResult, 'decides' | 'nextAttemptId'>> {
  const { attempt, isNew, nextAttemptId } = await inTransaction(scope, async (db) => {
    const locked = await lockAttempt(db, attemptId);
    const kept = keepResult(db, scope, locked, result, now);
    const nextAttemptId = kept.isNew ? null : await findClaimedNext(db, kept.attempt);
    return { ...kept, nextAttemptId };
  });
  if (isNew) {
    await enqueue(settleAttemptJob, { organizationId: scope.organizationId, attemptId });
  }
  return { decides: !attempt.isResultLate, nextAttemptId };
}

/**
 * Stores the result of a locked attempt.
 *
 * @returns the attempt with its result; `isNew` is false if it had one already
 * @throws NotFoundError for an attempt of another runner
 */
function keepResult(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow | null,
  result: AttemptResult,
  now: Date,
): { attempt: AttemptRow; isNew: boolean } {
  if (!attempt || attempt.runnerId !== scope.actor.id) throw new NotFoundError();
  if (attempt.result !== null) return { attempt, isNew: false };
  if (attempt.ackedSeq < result.lastSeq) {
    throw new ConflictError('Events of this attempt are missing. Send them first.', {
      expectedSeq: attempt.ackedSeq + 1,
    });
  }
  const kept = {
    result,
    resultAt: now,
    isResultLate: !isCurrentRun(attempt, result.fence),
    settledAt: null,
    settleFailures: 0,
    settleRetryAt: null,
  };
  beforeCommit(db, updateRow(db, 'attempt', keyOf(attempt), kept));
  return { attempt: { ...attempt, ...kept }, isNew: true };
}
