import { canAskOf } from '@/lib/fleet/capabilities';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { logger } from '@/lib/platform/logger';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { checkCommandPolicy } from '@/lib/projects/rules/command-policy';
import { CHECK_REVISION } from '@/lib/protocol/checks/revision';
import { type ClaimRefusal, LEASE_SECONDS } from '@/lib/protocol/schema';
import { type AttemptSpec, attemptSpecSchema } from '@/lib/protocol/spec';
import { withRefusals } from './approvals/refused-start';
import { type AttemptRow, lockAttempt } from './attempt/data';
import { resolveResumeDecision } from './continuation/decide';
import { resumeSentence } from './continuation/reasons';
import type { ResumeDecision, StartDecision } from './continuation/schema';
import { enqueueFollowUp } from './follow-up';
import { recordFailedClaim } from './give-up';
import type { ClaimedWork, WorkKind } from './kinds/kind';
import { kindOf } from './kinds/registry';
import { holdForVersion, postpone, recordContinuation } from './record-decision';
import type { GateCode } from './start-policy/gate';
import { markClaimed } from './status-data';
import { sessionMechanismSchema } from './statuses';
import { notifyEligibleRunners } from './sweep/sweep';
import { traceparentOf } from './trace-ids';
import { recordWithheld, withholdChecks } from './withheld-checks';

/** What a claim was answered with, in its transaction. */
export type ClaimAnswer =
  | { spec: AttemptSpec; jobs: PendingJob[] }
  | { refusal: ClaimRefusal; jobs: PendingJob[] };

/** This runner may never run the attempt, so runners that may are notified. */
const FOR_ANOTHER: readonly ClaimRefusal[] = [
  'tier_not_allowed',
  'runner_too_old',
  'cli_denied',
  'not_confined',
];

/** What a closed gate means for the runner; `held_back` where it holds every runner. */
const REFUSALS: Partial<Record<GateCode, ClaimRefusal>> = {
  CANARY_FAILED: 'cli_denied',
  CONFINED_ELSEWHERE: 'not_confined',
};

/**
 * Hands an attempt to the first runner that claims it, and decides in the same transaction how it
 * starts: from what is true now, on the host that will run it. A runner that claims again what it
 * holds and has not begun gets the same answer, because the first one may have been lost. For tiers
 * 2 and 3 only the same runner process does.
 *
 * @param processId which process of the runner claims; absent from runners older than this field
 * @throws ConflictError with a claimRefusal code if this runner must not start it
 */
export async function claimAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
  processId: string | null = null,
): Promise<AttemptSpec> {
  const answer = await claimOrCount(scope, attemptId, processId, now);
  return afterClaim(scope, attemptId, answer, now);
}

/** @throws NotFoundError for an attempt that isn't the organization's */
async function claimOrCount(
  scope: TenantScope,
  attemptId: string,
  processId: string | null,
  now: Date,
): Promise<ClaimAnswer> {
  try {
    return await inTransaction(scope, async (db) => {
      const answer = await claim(db, scope, attemptId, processId, now);
      // The runner would refuse a start that isn't valid, and claim it again.
      return 'spec' in answer ? { ...answer, spec: attemptSpecSchema.parse(answer.spec) } : answer;
    });
  } catch (error) {
    if (error instanceof NotFoundError) throw error;
    logger.error({ attemptId, error: String(error) }, 'claim failed');
    await enqueueFollowUp(await recordFailedClaim(scope, attemptId, error, now));
    return refuse('held_back');
  }
}

/**
 * Tells the queues what a committed claim led to.
 *
 * @throws ConflictError with a claimRefusal code if this runner must not start the attempt
 */
export async function afterClaim(
  scope: TenantScope,
  attemptId: string,
  answer: ClaimAnswer,
  now: Date,
): Promise<AttemptSpec> {
  // Not awaited, because the runner waits for the answer. The sweep repeats a job that is lost.
  void enqueueAll(answer.jobs);
  if ('spec' in answer) return answer.spec;
  if (FOR_ANOTHER.includes(answer.refusal)) await notifyEligibleRunners(scope, attemptId, now);
  throw new ConflictError('This attempt can’t be started now.', { code: answer.refusal });
}

/** Claims an attempt inside of a transaction. */
export async function claim(
  db: TenantDb,
  scope: TenantScope,
  attemptId: string,
  processId: string | null,
  now: Date,
): Promise<ClaimAnswer> {
  const attempt = await lockAttempt(db, attemptId);
  if (!attempt) throw new NotFoundError();
  const isHeld = isHeldUnbegun(attempt, scope);
  if (attempt.status !== 'queued' && !isHeld) return refuse('not_queued');
  // Its facts may be what can't be read.
  if (attempt.claimFailures > 0 && isEarly(attempt, now)) return refuse('held_back');
  const kind = kindOf(attempt);
  const work = await kind.read(db, scope, attempt, now);
  if (isHeld) {
    if (!mayStartAgain(work, processId)) return refuse('not_queued');
    const start = attemptSpecSchema.shape.start.parse(attempt.start);
    return { spec: specOf(work, attempt.fence, start), jobs: [] };
  }
  const refusal = refusalOf(work, now);
  if (refusal) return refuse(refusal);
  return (
    (await heldAnswer(db, scope, kind, work, now)) ??
    decide(db, scope, kind, work, { processId, isInstead: false }, now)
  );
}

/** Answers that a gate is closed, and stores why; null if the work may start. */
async function heldAnswer(
  db: TenantDb,
  scope: TenantScope,
  kind: WorkKind,
  work: ClaimedWork,
  now: Date,
): Promise<ClaimAnswer | null> {
  const gate = kind.gate(work, now);
  if (!gate) return null;
  const jobs = await kind.hold(db, scope, work, gate, now);
  return refuse(REFUSALS[gate.code] ?? 'held_back', jobs);
}

function refuse(refusal: ClaimRefusal, jobs: PendingJob[] = []): ClaimAnswer {
  return { refusal, jobs };
}

function isHeldUnbegun(attempt: AttemptRow, { actor }: TenantScope): boolean {
  return attempt.status === 'claimed' && attempt.runnerId === actor.id && attempt.ackedSeq === 0;
}

/**
 * Returns whether a claimed attempt may be handed out again. A restarted runner may have spawned
 * the agent before any event arrived. Its lease then expires, and the attempt is settled as lost.
 */
function mayStartAgain({ attempt, session }: ClaimedWork, processId: string | null): boolean {
  if (session.tier === 1 || attempt.purpose === 'reconcile') return true;
  return processId !== null && attempt.claimedByProcess === processId;
}

function refusalOf(
  { attempt, runner, session, isForNewRunners, isStopping }: ClaimedWork,
  now: Date,
): ClaimRefusal | null {
  if (runner.poolId !== attempt.poolId) return 'not_this_runner';
  if (attempt.requiredRunnerId && attempt.requiredRunnerId !== runner.id) return 'not_this_runner';
  if (!runner.allowedTiers.includes(session.tier)) return 'tier_not_allowed';
  // It could not even parse the start.
  if (isForNewRunners && !canAskOf(runner.capabilities)) return 'runner_too_old';
  if (runner.drainingAt || runner.revokedAt || runner.pausedAt) return 'not_this_runner';
  if (isEarly(attempt, now)) return 'held_back';
  return isStopping ? 'held_back' : null;
}

function isEarly({ notBefore }: AttemptRow, now: Date): boolean {
  return notBefore !== null && notBefore > now;
}

async function decide(
  db: TenantDb,
  scope: TenantScope,
  kind: WorkKind,
  work: ClaimedWork,
  { processId, isInstead }: { processId: string | null; isInstead: boolean },
  now: Date,
): Promise<ClaimAnswer> {
  const { attempt, session, project, chainId } = work;
  const { request, pointer, runtime, policy } = kind.resumeInput(work, now);
  const decision = resolveResumeDecision(request, pointer, runtime, policy, now);
  const sentence = sentenceOf(decision, work);
  if (decision.reason === 'CLI_DENYLISTED') {
    await holdForVersion(db, work, decision, sentence, now);
    return refuse('cli_denied');
  }
  if (decision.mode === 'wait') {
    await postpone(db, work, sentence, decision, now);
    return refuse('held_back');
  }
  // Its gates were evaluated for a continuation, and a continuation needs no approval.
  const startsTier = isInstead && decision.mode !== 'refuse' && decision.mode !== 'reconcile';
  const held = startsTier ? await heldAnswer(db, scope, kind, work, now) : null;
  if (held) return held;
  await recordContinuation(db, work, decision, sentence, now);
  const purpose = kind.newPurpose(work, decision);
  if (purpose) await db.attempt.updateMany({ where: { id: attempt.id }, data: { purpose } });
  if (decision.mode === 'refuse' && purpose) {
    const instead = { ...attempt, purpose };
    const workInstead = await kind.read(db, scope, instead, now);
    return decide(db, scope, kind, workInstead, { processId, isInstead: true }, now);
  }
  if (decision.mode === 'refuse') {
    const because = { reason: decision.reason, sentence };
    return refuse('held_back', await kind.refuse(db, scope, work, because, now));
  }
  const built = await kind.buildStart(db, work, decision, now);
  const start = withRefusals(built, work.refusals, work.config.services);
  const fence = attempt.fence + 1;
  markClaimed(
    db,
    {
      attemptId: attempt.id,
      runnerId: work.runner.id,
      processId,
      fence,
      leaseExpiresAt: new Date(now.getTime() + LEASE_SECONDS * 1_000),
      start,
      isTainted: await kind.isTainted(db, work, decision, start),
      sessionId: session.id,
      mechanism: work.isContinuation
        ? sessionMechanismSchema.parse(session.mechanism ?? 'fresh')
        : mechanismOf(decision),
      isFallback: work.isContinuation ? session.isFallback : attempt.onlyMode !== null,
      chainId,
      tier: session.tier,
    },
    now,
  );
  const { withheld } = withholdChecks(work.runner.capabilities, work.config.services);
  const own = { id: attempt.id, sessionId: session.id, projectId: project.id, chainId };
  await recordWithheld(db, own, withheld, now);
  const jobs = await kind.started(db, scope, work, decision, sentence, now);
  return { spec: specOf(work, fence, start), jobs };
}

function mechanismOf({ mode }: StartDecision) {
  return mode === 'reconcile' ? 'handoff' : mode;
}

/** Returns how a start continues, as one sentence for people. */
function sentenceOf(decision: ResumeDecision, work: ClaimedWork): string {
  const { parent, owner, pointer, session, runner, words, isContinuation } = work;
  return resumeSentence(decision.reason, {
    tier: session.tier,
    parentSession: parent ? `#${parent.number}` : null,
    parentTier: parent?.tier ?? null,
    runner: owner?.name ?? null,
    movedTo: decision.mode === 'resume' && decision.sealId !== null ? runner.name : null,
    parentCliSessionId: pointer?.cliSessionId ?? null,
    usedTokens: decision.context.usedTokens,
    windowTokens: decision.context.windowTokens,
    threshold: decision.context.threshold,
    isContinuation,
    ...words,
    denial: decision.mode === 'refuse' ? words.denial : null,
  });
}

function specOf(
  { attempt, session, project, config, runner, chainId }: ClaimedWork,
  fence: number,
  start: AttemptSpec['start'],
): AttemptSpec {
  return {
    attemptId: attempt.id,
    sessionId: session.id,
    organizationId: attempt.organizationId,
    projectId: project.id,
    label: `#${session.number}.${attempt.number}`,
    fence,
    leaseSeconds: LEASE_SECONDS,
    start,
    services: withholdChecks(runner.capabilities, config.services).services,
    checkRevision: CHECK_REVISION,
    checkCommands: checkCommandPolicy(config),
    secretNames: secretNames(config, session.tier, start),
    ...traceOf(chainId, attempt.id),
  };
}

/** An answer under Ask has no chain, and so no trace. */
function traceOf(chainId: string | null, attemptId: string): Pick<AttemptSpec, 'traceparent'> {
  if (chainId === null || !env().openTelemetry?.exportsTraces) return {};
  return { traceparent: traceparentOf(chainId, attemptId) };
}

/** Those of the tier, and those of its commands: a reconcile runs with the commands of tier 1. */
function secretNames(
  { secrets }: ClaimedWork['config'],
  tier: number | null,
  { commands }: AttemptSpec['start'],
): string[] {
  const ofTier = secrets.filter(({ tiers }) => tiers.some((each) => each === tier));
  return [...new Set([...ofTier, ...(commands?.secrets ?? [])].map(({ name }) => name))];
}
