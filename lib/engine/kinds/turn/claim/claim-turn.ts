import type { z } from 'zod';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { resolveResumeDecision } from '@/lib/engine/continuation/decide';
import { resumeSentence } from '@/lib/engine/continuation/reasons';
import type { ResumeDecision } from '@/lib/engine/continuation/schema';
import { deniedStart, deniedVersionsOf } from '@/lib/fleet/denied-versions';
import { canAskOf } from '@/lib/fleet/posture';
import { pausedOf } from '@/lib/identity/pauses/pauses';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { type claimRefusalSchema, LEASE_SECONDS } from '@/lib/protocol/schema';
import { type AttemptSpec, attemptSpecSchema } from '@/lib/protocol/spec';
import { markTurnClaimed } from './data';
import { agentOf, decisionInput, denial } from './decision-input';
import type { TurnFacts } from './facts';
import { loadTurnFacts } from './load-turn-facts';
import { buildTurnStart } from './start-spec';

type Refusal = z.infer<typeof claimRefusalSchema>;
export type TurnClaim = { ok: true; spec: AttemptSpec } | { ok: false; refusal: Refusal };

/** Hands a turn's attempt, which is locked, to the runner that asks, and decides how it starts. */
export async function claimTurn(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  isHeld: boolean,
  now: Date,
): Promise<TurnClaim> {
  const facts = await loadTurnFacts(db, scope, attempt, now);
  if (isHeld) {
    const start = attemptSpecSchema.shape.start.parse(attempt.start);
    return { ok: true, spec: specOf(attempt, facts, attempt.fence, start) };
  }
  const refusal = refusalOf(attempt, facts, now);
  if (refusal) return { ok: false, refusal };
  // It may have been said after the message was sent.
  const paused = pausedOf(facts);
  if (paused) {
    const statusText = `${paused.name} is paused by ${paused.by}. The agent answers once it is resumed.`;
    await db.session.updateMany({
      where: { id: facts.session.id, statusText: { not: statusText } },
      data: { status: 'waiting', statusText },
    });
    return { ok: false, refusal: 'held_back' };
  }
  const { request, pointer, runtime, policy } = decisionInput(attempt, facts, env(), now);
  const decision = resolveResumeDecision(request, pointer, runtime, policy, now);
  if (decision.reason === 'CLI_DENYLISTED') {
    await holdForVersion(db, scope, attempt, facts, decision, now);
    return { ok: false, refusal: 'cli_denied' };
  }
  if (decision.mode === 'wait') {
    await wait(db, attempt, facts, decision, now);
    return { ok: false, refusal: 'held_back' };
  }
  await recordDecision(db, scope, attempt, facts, decision, now);
  const agent = agentOf(facts);
  if (decision.mode === 'refuse' || !agent) {
    await refuse(db, attempt, facts, sentenceOf(decision, facts), now);
    return { ok: false, refusal: 'held_back' };
  }
  const start = buildTurnStart(decision, agent, facts);
  const fence = attempt.fence + 1;
  await markTurnClaimed(
    db,
    scope.organizationId,
    {
      attemptId: attempt.id,
      sessionId: facts.session.id,
      runnerId: facts.runner.id,
      fence,
      leaseExpiresAt: new Date(now.getTime() + LEASE_SECONDS * 1_000),
      start,
      isFallback: attempt.onlyMode === 'transcript',
    },
    now,
  );
  return { ok: true, spec: specOf(attempt, facts, fence, start) };
}

function refusalOf(attempt: AttemptRow, { runner }: TurnFacts, now: Date): Refusal | null {
  if (runner.poolId !== attempt.poolId) return 'not_this_runner';
  if (attempt.requiredRunnerId && attempt.requiredRunnerId !== runner.id) return 'not_this_runner';
  if (!runner.allowedTiers.includes(1)) return 'tier_not_allowed';
  // It could not even read the start.
  if (!canAskOf(runner.posture)) return 'runner_too_old';
  if (runner.drainingAt || runner.revokedAt || runner.pausedAt) return 'not_this_runner';
  return attempt.notBefore && attempt.notBefore > now ? 'held_back' : null;
}

/** How a turn continues, as one sentence for people. */
function sentenceOf(decision: ResumeDecision, facts: TurnFacts): string {
  const { parent, owner, pointer, previous } = facts;
  return resumeSentence(decision.reason, {
    tier: 1,
    parentSession: parent ? `#${parent.number}` : null,
    parentTier: parent?.tier ?? null,
    runner: owner?.name ?? null,
    parentCliSessionId: pointer?.cliSessionId ?? null,
    usedTokens: decision.context.usedTokens,
    windowTokens: decision.context.windowTokens,
    threshold: decision.context.threshold,
    denial: decision.mode === 'refuse' ? denial(facts, agentOf(facts)) : null,
    deniedCli: decision.reason === 'CLI_DENYLISTED' ? deniedCliOf(facts) : null,
    turn: { continues: previous?.position ?? null },
  });
}

function deniedCliOf(facts: TurnFacts): string | null {
  const { live, runner, organization } = facts;
  const harness = agentOf(facts)?.harness ?? live.harness;
  return deniedStart(live.runnerPool, runner, harness, deniedVersionsOf(organization));
}

/** As `holdForVersion` of a tier: another runner may take it, and the turn says why it waits. */
async function holdForVersion(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: TurnFacts,
  decision: ResumeDecision,
  now: Date,
): Promise<void> {
  const { session, runner } = facts;
  await db.attempt.updateMany({
    where: { id: attempt.id, requiredRunnerId: runner.id },
    data: { requiredRunnerId: null },
  });
  const statusText = sentenceOf(decision, facts);
  const recorded = { attemptId: attempt.id, reason: decision.reason, sentence: statusText };
  if ((await db.decision.count({ where: recorded })) > 0) return;
  await recordDecision(db, scope, attempt, facts, decision, now);
  await db.session.updateMany({
    where: { id: session.id },
    data: { status: 'waiting', statusText },
  });
}

async function recordDecision(
  db: TenantDb,
  { organizationId }: TenantScope,
  attempt: AttemptRow,
  facts: TurnFacts,
  decision: ResumeDecision,
  now: Date,
): Promise<void> {
  const { session, project, pointer } = facts;
  const { guards, context, advisories, mode, reason } = decision;
  await db.decision.createMany({
    data: {
      organizationId,
      projectId: project.id,
      sessionId: session.id,
      attemptId: attempt.id,
      kind: 'continuation',
      verdict: mode,
      reason,
      sentence: sentenceOf(decision, facts),
      facts: toJson({ guards, context, advisories }),
      createdAt: now,
    },
  });
  if (decision.retirePointer && pointer && pointer.state !== 'retired') {
    await db.pointer.updateMany({
      where: { id: pointer.id },
      data: { state: 'retired', retiredReason: reason.toLowerCase() },
    });
  }
}

/** Asked again soon, and by the deadline at the latest. */
async function wait(
  db: TenantDb,
  attempt: AttemptRow,
  facts: TurnFacts,
  decision: Extract<ResumeDecision, { mode: 'wait' }>,
  now: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      notBefore: new Date(now.getTime() + decision.waitMs),
      requiredRunnerId: facts.pointer?.runnerId ?? null,
    },
  });
  await db.session.updateMany({
    where: { id: facts.session.id },
    data: { status: 'waiting', statusText: sentenceOf(decision, facts) },
  });
}

async function refuse(
  db: TenantDb,
  attempt: AttemptRow,
  { session }: TurnFacts,
  statusText: string,
  now: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      status: 'ended',
      end: 'start_failed',
      endText: statusText,
      endedAt: now,
      settledAt: now,
    },
  });
  await db.session.updateMany({
    where: { id: session.id },
    data: { status: 'refused', statusText, endedAt: now },
  });
}

function specOf(
  attempt: AttemptRow,
  { session, project, live }: TurnFacts,
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
    services: live.services,
    secretNames: live.secrets.flatMap(({ name, tiers }) => (tiers.includes(1) ? [name] : [])),
  };
}
