import type { z } from 'zod';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/pending-jobs';
import { type claimRefusalSchema, LEASE_SECONDS } from '@/lib/protocol/schema';
import { type AttemptSpec, attemptSpecSchema } from '@/lib/protocol/spec';
import { type AttemptRow, lockAttempt } from './attempt/data';
import { endUnstartedSession } from './chains/service/end-chain';
import { resolveResumeDecision } from './continuation/decide';
import type { StartDecision } from './continuation/schema';
import { chainStarted } from './domain-events';
import { recordNotices } from './events/notices';
import { markClaimed } from './kinds/tier/claim/data';
import type { ClaimFacts } from './kinds/tier/claim/facts';
import { findRecovery } from './kinds/tier/claim/find-recovery';
import { startHold } from './kinds/tier/claim/hold';
import { holdBack, holdForVersion, postpone } from './kinds/tier/claim/hold-back';
import { loadClaimFacts } from './kinds/tier/claim/load-claim-facts';
import {
  continuationAudit,
  continuationNotices,
  cutContextNotice,
  recordContinuation,
  sentenceOf,
} from './kinds/tier/claim/record-continuation';
import { resumeInput } from './kinds/tier/claim/resume-input';
import { buildStart } from './kinds/tier/claim/start-spec';
import { claimTurn } from './kinds/turn/claim/claim-turn';
import { passOn } from './sweep/pass-on';

type Refusal = z.infer<typeof claimRefusalSchema>;

/** The runner may never take it, so those that may are told. */
const FOR_ANOTHER: readonly Refusal[] = ['tier_not_allowed', 'runner_too_old', 'cli_denied'];

/**
 * Hands an attempt to the runner that asks first, and decides in the same transaction how it
 * starts: from what holds now, on the host that will run it. A runner that asks again for what it
 * holds and has not begun gets the same answer, since the first one may have been lost. For work of
 * tiers 2 and 3 only the same runner process does.
 *
 * @param processId which process of the runner asks; absent from runners before this field existed
 * @throws ConflictError with a claimRefusal code when it is not this runner's to start
 */
export async function claimAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
  processId: string | null = null,
): Promise<AttemptSpec> {
  const answer = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    if (!attempt) throw new NotFoundError();
    const isHeld = isHeldUnbegun(attempt, scope);
    if (attempt.status !== 'queued' && !isHeld) return refuse('not_queued');
    if (attempt.purpose === 'ask') {
      return { ...(await claimTurn(db, scope, attempt, isHeld, now)), jobs: [] };
    }
    const facts = await loadClaimFacts(db, scope, attempt, env(), now);
    if (isHeld) {
      if (!mayStartAgain(attempt, facts, processId)) return refuse('not_queued');
      const start = attemptSpecSchema.shape.start.parse(attempt.start);
      const spec = specOf(attempt, facts, attempt.fence, start);
      return { ok: true as const, spec, jobs: [] };
    }
    const refusal = refusalOf(attempt, facts, now);
    if (refusal) return refuse(refusal);
    const hold = startHold(facts, now);
    if (hold) return refuse('held_back', await holdBack(db, scope, attempt, facts, hold, now));
    return decide(db, scope, attempt, facts, processId, now);
  });
  // Not waited for, since the runner waits; a ring that is lost is the sweep's to repeat.
  void enqueueAll(answer.jobs);
  if (!answer.ok) {
    if (FOR_ANOTHER.includes(answer.refusal)) await passOn(scope, attemptId, now);
    throw new ConflictError('This attempt is not to be started now.', { code: answer.refusal });
  }
  return attemptSpecSchema.parse(answer.spec);
}

function isHeldUnbegun(attempt: AttemptRow, { actor }: TenantScope): boolean {
  return attempt.status === 'claimed' && attempt.runnerId === actor.id && attempt.ackedSeq === 0;
}

/**
 * A runner that restarted may have spawned the agent before, without an event that arrived. Its
 * lease then expires, and the attempt is settled as lost.
 */
function mayStartAgain(
  { purpose, claimedByProcess }: AttemptRow,
  { session }: ClaimFacts,
  processId: string | null,
): boolean {
  if (session.tier === 1 || purpose === 'reconcile') return true;
  return processId !== null && claimedByProcess === processId;
}

function refuse(refusal: Refusal, jobs: PendingJob[] = []) {
  return { ok: false as const, refusal, jobs };
}

function refusalOf(attempt: AttemptRow, facts: ClaimFacts, now: Date): Refusal | null {
  const { runner, session, chain } = facts;
  if (runner.poolId !== attempt.poolId) return 'not_this_runner';
  if (attempt.requiredRunnerId && attempt.requiredRunnerId !== runner.id) return 'not_this_runner';
  if (!runner.allowedTiers.includes(session.tier)) return 'tier_not_allowed';
  if (runner.drainingAt || runner.revokedAt || runner.pausedAt) return 'not_this_runner';
  if (attempt.notBefore && attempt.notBefore > now) return 'held_back';
  if (chain.stopRequestedAt) return 'held_back';
  return null;
}

async function decide(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  loaded: ClaimFacts,
  processId: string | null,
  now: Date,
) {
  const facts = loaded.own ? { ...loaded, ...loaded.own } : loaded;
  const input = resumeInput(attempt, facts, env(), now);
  const decision = resolveResumeDecision(
    input.request,
    input.pointer,
    input.runtime,
    input.policy,
    now,
  );
  if (decision.reason === 'CLI_DENYLISTED') {
    await holdForVersion(db, scope, attempt, facts, decision, now);
    return refuse('cli_denied');
  }
  if (decision.mode === 'wait') {
    await postpone(db, attempt, facts, sentenceOf(decision, facts), decision.waitMs, now);
    return refuse('held_back');
  }
  await recordContinuation(db, scope, attempt, facts, decision, now);
  if (decision.mode === 'refuse' && loaded.own && decision.reason !== 'CONTINUE_SPENT') {
    const retry = { ...attempt, purpose: 'tier' };
    await db.attempt.updateMany({ where: { id: attempt.id }, data: { purpose: 'tier' } });
    return decide(db, scope, retry, { ...loaded, own: null }, processId, now);
  }
  if (decision.mode === 'refuse') {
    const sentence = sentenceOf(decision, facts);
    const { session, chain } = facts;
    const refused = { attemptId: attempt.id, session, chain, reason: decision.reason, sentence };
    // The end of the chain says why by itself.
    const jobs = await endUnstartedSession(
      db,
      scope,
      { ...refused, end: 'start_failed', outcome: 'needs_human', level: 'critical', services: [] },
      now,
    );
    return refuse('held_back', jobs);
  }
  const spec = await start(
    db,
    scope,
    await asDecided(db, attempt, decision),
    facts,
    decision,
    processId,
    now,
  );
  const isFirst = facts.chain.startedAt === null;
  const jobs = isFirst
    ? await publish(db, scope, chainStarted, { chainId: facts.chain.id }, now)
    : [];
  return { ok: true as const, spec, jobs };
}

/** An attempt that was to repeat work only looks, once it is known that something may have changed. */
async function asDecided(
  db: TenantDb,
  attempt: AttemptRow,
  { mode }: StartDecision,
): Promise<AttemptRow> {
  if (mode !== 'reconcile' || attempt.purpose === 'reconcile') return attempt;
  await db.attempt.updateMany({ where: { id: attempt.id }, data: { purpose: 'reconcile' } });
  return { ...attempt, purpose: 'reconcile' };
}

async function start(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  decision: StartDecision,
  processId: string | null,
  now: Date,
): Promise<AttemptSpec> {
  const recovery = await findRecovery(db, scope, decision, facts, now);
  const { start, warning } = buildStart(decision, attempt, facts, recovery, now);
  const fence = attempt.fence + 1;
  await markClaimed(
    db,
    scope.organizationId,
    {
      attemptId: attempt.id,
      runnerId: facts.runner.id,
      processId,
      fence,
      leaseExpiresAt: new Date(now.getTime() + LEASE_SECONDS * 1_000),
      start,
      sessionId: facts.session.id,
      // How the session started stays what it was.
      mechanism: facts.own ? mechanismBefore(facts) : mechanismOf(decision),
      isFallback: facts.own ? facts.session.isFallback : attempt.onlyMode === 'handoff',
      chainId: facts.chain.id,
      tier: facts.session.tier,
    },
    now,
  );
  const notices = continuationNotices(decision, facts);
  if (warning) notices.push(cutContextNotice(facts, warning));
  await recordNotices(db, scope.organizationId, notices, now);
  if (facts.parent) await recordAudit(db, scope, continuationAudit(decision, facts));
  return specOf(attempt, facts, fence, start);
}

function mechanismOf({ mode }: StartDecision): 'fresh' | 'resume' | 'handoff' {
  return mode === 'fresh' || mode === 'resume' ? mode : 'handoff';
}

function mechanismBefore({ session: { mechanism } }: ClaimFacts): 'fresh' | 'resume' | 'handoff' {
  return mechanism === 'resume' || mechanism === 'handoff' ? mechanism : 'fresh';
}

function specOf(
  attempt: AttemptRow,
  facts: ClaimFacts,
  fence: number,
  start: AttemptSpec['start'],
): AttemptSpec {
  return {
    attemptId: attempt.id,
    sessionId: facts.session.id,
    organizationId: attempt.organizationId,
    projectId: facts.project.id,
    label: `#${facts.session.number}.${attempt.number}`,
    fence,
    leaseSeconds: LEASE_SECONDS,
    start,
    services: facts.frozen.services,
    secretNames: facts.frozen.secrets
      .filter((secret) => secret.tiers.some((tier) => tier === facts.session.tier))
      .map((secret) => secret.name),
  };
}
