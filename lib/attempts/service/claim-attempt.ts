import type { z } from 'zod';
import { recordAudit } from '@/lib/audit/data';
import { endRefusedSession } from '@/lib/chains/service/end-chain';
import { resolveResumeDecision } from '@/lib/continuity/decide';
import { resumeSentence } from '@/lib/continuity/reasons';
import type { ResumeDecision } from '@/lib/continuity/schema';
import { toJson } from '@/lib/db/json';
import { inTransaction, type TenantDb } from '@/lib/db/tenant-db';
import { env } from '@/lib/env';
import { ConflictError, NotFoundError } from '@/lib/errors';
import { recordNotices } from '@/lib/events/data';
import { encodeId } from '@/lib/ids';
import { enqueue } from '@/lib/queue/enqueue';
import { deliverWebhookJob } from '@/lib/queue/jobs';
import { type claimRefusalSchema, LEASE_SECONDS } from '@/lib/runner-protocol/schema';
import { type AttemptSpec, attemptSpecSchema } from '@/lib/runner-protocol/spec';
import type { TenantScope } from '@/lib/tenancy/scope';
import { type ClaimFacts, loadClaimFacts } from '../claim/facts';
import { denial as denialOf, resumeInput } from '../claim/resume-input';
import { buildStart } from '../claim/start-spec';
import { type AttemptRow, lockAttempt } from '../data';
import { postpone, sayWhoPaused } from './hold-back';

type Refusal = z.infer<typeof claimRefusalSchema>;

/**
 * Hands an attempt to the runner that asks first, and decides in the same transaction how it
 * starts: from what holds now, on the host that will run it.
 *
 * @throws ConflictError with a claimRefusal code when it is not this runner's to start
 */
export async function claimAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<AttemptSpec> {
  const answer = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    if (!attempt) throw new NotFoundError();
    if (attempt.status !== 'queued') return refuse('not_queued');
    const facts = await loadClaimFacts(db, scope, attempt, env(), now);
    const refusal = refusalOf(attempt, facts, now);
    if (refusal === 'held_back') await sayWhoPaused(db, scope, facts, now);
    if (refusal) return refuse(refusal);
    const input = resumeInput(attempt, facts, env(), now);
    const decision = resolveResumeDecision(
      input.request,
      input.pointer,
      input.runtime,
      input.policy,
      now,
    );
    if (decision.mode === 'wait') {
      await postpone(db, attempt, facts, sentenceOf(decision, facts), decision.waitMs, now);
      return refuse('held_back');
    }
    await recordContinuation(db, scope, attempt, facts, decision, now);
    if (decision.mode === 'refuse') {
      const sentence = sentenceOf(decision, facts);
      const { session, chain } = facts;
      const refused = { attemptId: attempt.id, session, chain, reason: decision.reason, sentence };
      return refuse('held_back', await endRefusedSession(db, scope, refused, now));
    }
    const { start, warning } = buildStart(decision, attempt, facts, now);
    if (warning) await recordCutContext(db, scope, facts, warning, now);
    const fence = attempt.fence + 1;
    await db.attempt.updateMany({
      where: { id: attempt.id },
      data: {
        status: 'claimed',
        runnerId: facts.runner.id,
        fence,
        leaseExpiresAt: new Date(now.getTime() + LEASE_SECONDS * 1_000),
        claimedAt: now,
        start: toJson(start),
      },
    });
    await markRunning(db, attempt, facts, decision, now);
    return { ok: true as const, spec: specOf(attempt, facts, fence, start) };
  });
  if (!answer.ok) {
    for (const deliveryId of answer.deliveries) {
      await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId });
    }
    throw new ConflictError('This attempt is not to be started now.', { code: answer.refusal });
  }
  return attemptSpecSchema.parse(answer.spec);
}

function refuse(refusal: Refusal, deliveries: string[] = []) {
  return { ok: false as const, refusal, deliveries };
}

function refusalOf(attempt: AttemptRow, facts: ClaimFacts, now: Date): Refusal | null {
  const { runner, session, project, organization, chain } = facts;
  if (runner.poolId !== attempt.poolId) return 'not_this_runner';
  if (attempt.requiredRunnerId && attempt.requiredRunnerId !== runner.id) return 'not_this_runner';
  if (!runner.allowedTiers.includes(session.tier)) return 'tier_not_allowed';
  if (runner.drainingAt || runner.revokedAt || runner.pausedAt) return 'not_this_runner';
  if (attempt.notBefore && attempt.notBefore > now) return 'held_back';
  if (project.pausedAt || organization.pausedAt || chain.stopRequestedAt) return 'held_back';
  return null;
}

function sentenceOf(decision: ResumeDecision, facts: ClaimFacts): string {
  return resumeSentence(decision.reason, {
    tier: facts.session.tier,
    parentSession: facts.parent ? `#${facts.parent.number}` : null,
    parentTier: facts.parent?.tier ?? null,
    runner: facts.owner?.name ?? null,
    parentCliSessionId: facts.pointer?.cliSessionId ?? null,
    usedTokens: decision.context.usedTokens,
    windowTokens: decision.context.windowTokens,
    threshold: decision.context.threshold,
    denial: decision.mode === 'refuse' ? denialOf(facts) : null,
  });
}

async function recordContinuation(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  decision: ResumeDecision,
  now: Date,
): Promise<void> {
  const sentence = sentenceOf(decision, facts);
  const { chain, session, project } = facts;
  await db.decision.create({
    data: {
      organizationId: scope.organizationId,
      projectId: project.id,
      chainId: chain.id,
      sessionId: session.id,
      attemptId: attempt.id,
      kind: 'continuation',
      verdict: decision.mode,
      reason: decision.reason,
      sentence,
      facts: toJson({
        guards: decision.guards,
        context: decision.context,
        advisories: decision.advisories,
      }),
      createdAt: now,
    },
  });
  if (decision.retirePointer && facts.pointer && facts.pointer.state !== 'retired') {
    await db.pointer.updateMany({
      where: { id: facts.pointer.id },
      data: { state: 'retired', retiredReason: decision.reason.toLowerCase() },
    });
  }
  // A refusal ends the chain, which says why by itself.
  if (facts.parent && decision.mode !== 'refuse') {
    const { threshold, thresholdSource, usedTokens, windowTokens } = decision.context;
    const where = { projectId: project.id, chainId: chain.id, sessionId: session.id };
    await recordNotices(
      db,
      scope.organizationId,
      [
        {
          ...where,
          level: decision.mode === 'resume' ? 'info' : 'warning',
          code: decision.reason,
          message: sentence,
        },
        {
          ...where,
          level: 'info',
          code: 'CONTEXT_THRESHOLD',
          message: `Resume limit in force: ${percent(threshold)} (${thresholdSource === 'installation' ? 'set by CLAUDEOPS_RESUME_CONTEXT_THRESHOLD' : 'set for the project'}). In use: ${usedTokens === null ? 'not known' : usedTokens.toLocaleString('en')} of ${windowTokens.toLocaleString('en')} tokens.`,
        },
      ],
      now,
    );
    await recordAudit(db, scope, {
      action: 'decision.made',
      target: encodeId('ses', session.id),
      detail: { kind: 'continuation', verdict: decision.mode, reason: decision.reason },
    });
  }
}

async function recordCutContext(
  db: TenantDb,
  scope: TenantScope,
  { project, chain, session }: ClaimFacts,
  message: string,
  now: Date,
): Promise<void> {
  const about = { projectId: project.id, chainId: chain.id, sessionId: session.id };
  const notice = { ...about, level: 'warning' as const, code: 'CONTEXT_CUT', message };
  await recordNotices(db, scope.organizationId, [notice], now);
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

async function markRunning(
  db: TenantDb,
  attempt: AttemptRow,
  facts: ClaimFacts,
  decision: ResumeDecision,
  now: Date,
): Promise<void> {
  const { session, chain } = facts;
  await db.session.updateMany({
    where: { id: session.id },
    data: {
      status: 'running',
      statusText: '',
      startedAt: session.startedAt ?? now,
      mechanism: decision.mode === 'reconcile' ? 'handoff' : decision.mode,
      isFallback: attempt.onlyMode === 'handoff',
    },
  });
  await db.chain.updateMany({
    where: { id: chain.id, status: { not: 'ended' } },
    data: {
      status: 'running',
      statusText: `Tier ${session.tier} is running.`,
      startedAt: chain.startedAt ?? now,
      highestTier: Math.max(chain.highestTier, session.tier),
    },
  });
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
