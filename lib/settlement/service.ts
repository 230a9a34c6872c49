import { v7 as uuidv7 } from 'uuid';
import { Prisma } from '@/generated/prisma/client';
import { fingerprintOf } from '@/lib/attempts/claim/facts';
import { isReachable } from '@/lib/attempts/claim/resume-input';
import { type AttemptRow, insertAttempt, lockAttempt, queueOf } from '@/lib/attempts/data';
import type { AuditEntry } from '@/lib/audit/data';
import { recordAudit } from '@/lib/audit/data';
import { raiseSessionNumber } from '@/lib/chains/data';
import { endChain } from '@/lib/chains/service/end-chain';
import { recordActions } from '@/lib/cooldowns/data';
import { toJson } from '@/lib/db/json';
import { inTransaction, type TenantDb } from '@/lib/db/tenant-db';
import { env } from '@/lib/env';
import { recordNotices } from '@/lib/events/data';
import { PRICES_MEASURED_ON } from '@/lib/harness/claude/prices';
import { encodeId } from '@/lib/ids';
import { enqueue, ringRunnerQueue } from '@/lib/queue/enqueue';
import { deliverWebhookJob } from '@/lib/queue/jobs';
import type { CommandEvent } from '@/lib/runner-protocol/events';
import { type AttemptResult, attemptResultSchema } from '@/lib/runner-protocol/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { bookLedger } from '@/lib/usage/data';
import { loadSettlementFacts, type SettlementRows, unbookAttempt } from './data';
import { planSettlement, type SettlementPlan } from './plan';

/** How long a start waits for the one host that holds its conversation. */
const HOST_WAIT_SECONDS = 120;

/** Doorbells to ring once the transaction is committed. */
interface Rings {
  attempt: { queue: string; attemptId: string } | null;
  deliveries: string[];
}

/**
 * Turns the end of an attempt into everything that follows from it, in one transaction: ledger,
 * report, pointer, handoff, decision, next start or outcome, messages, audit. Running it again
 * after any interruption does nothing twice.
 */
export async function settleAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<void> {
  const rings = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    if (!attempt || attempt.result === null || attempt.settledAt !== null) return null;
    return settle(db, scope, attempt, attemptResultSchema.parse(attempt.result), now);
  });
  await ringAll(scope, rings);
}

/** Ends an attempt whose runner is gone: nobody will report a result under its fencing number. */
export async function settleLostAttempt(
  scope: TenantScope,
  attemptId: string,
  now = new Date(),
): Promise<void> {
  const rings = await inTransaction(scope, async (db) => {
    const attempt = await lockAttempt(db, scope.organizationId, attemptId);
    const isGone =
      attempt &&
      attempt.result === null &&
      ['claimed', 'running', 'stopping'].includes(attempt.status) &&
      attempt.leaseExpiresAt !== null &&
      attempt.leaseExpiresAt < now;
    return isGone ? settle(db, scope, attempt, lostResult(attempt, now), now) : null;
  });
  await ringAll(scope, rings);
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
    handoffFile: { state: 'not_expected' },
    leftoversKilled: 0,
  };
}

async function ringAll(scope: TenantScope, rings: Rings | null): Promise<void> {
  if (rings?.attempt) await ringRunnerQueue(rings.attempt.queue, rings.attempt.attemptId);
  for (const deliveryId of rings?.deliveries ?? []) {
    await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId });
  }
}

async function settle(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  result: AttemptResult,
  now: Date,
): Promise<Rings> {
  const rows = await loadSettlementFacts(db, attempt, result, env(), now);
  const plan = planSettlement(rows.facts, now);
  await writeLedger(db, scope, attempt, rows, plan, now);
  await writeAttempt(db, attempt, result, plan, now);
  await writePointer(db, scope, attempt, rows, plan);
  await writeWindow(db, scope, rows, plan, now);
  if (!plan.step) return { attempt: null, deliveries: [] };
  return writeStep(db, scope, attempt, rows, plan, plan.step, now);
}

async function writeLedger(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: SettlementRows,
  plan: SettlementPlan,
  now: Date,
): Promise<void> {
  if (rows.facts.attempt.isLate) await unbookAttempt(db, scope.organizationId, attempt.id);
  await bookLedger(
    db,
    scope.organizationId,
    plan.ledger.map((line) => ({
      projectId: rows.project.id,
      chainId: rows.chain.id,
      sessionId: rows.session.id,
      attemptId: attempt.id,
      tier: rows.session.tier,
      model: line.model,
      inputTokens: line.inputTokens,
      outputTokens: line.outputTokens,
      cacheReadTokens: line.cacheReadTokens,
      cacheWriteTokens: line.cacheWriteTokens,
      costMicros: Math.round(line.costUsd * 1_000_000),
      isEstimate: line.isEstimate,
      priceTable: line.isEstimate ? PRICES_MEASURED_ON : null,
      raw: plan.result?.modelUsage[line.model] ?? null,
    })),
    now,
  );
}

async function writeAttempt(
  db: TenantDb,
  attempt: AttemptRow,
  result: AttemptResult,
  plan: SettlementPlan,
  now: Date,
): Promise<void> {
  const isLost = plan.classified.end === 'lost' && attempt.result === null;
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      status: 'ended',
      ...(plan.step
        ? {
            end: plan.classified.end,
            endText: plan.classified.text,
            endedAt: new Date(result.endedAt),
          }
        : {}),
      // Whatever the lost runner still sends carries a number that is over.
      ...(isLost ? { fence: attempt.fence + 1 } : {}),
      settledAt: now,
      contextTokens: plan.contextTokens,
      contextWindow: plan.contextWindow,
      turns: plan.result?.numTurns ?? null,
      exitCode: result.exit?.code ?? null,
      exitSignal: result.exit?.signal ?? null,
      reportedUsage: plan.result ? toJson(plan.result.modelUsage) : Prisma.DbNull,
      reportedCostUsd: plan.result?.totalCostUsd ?? null,
    },
  });
}

async function writePointer(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: SettlementRows,
  plan: SettlementPlan,
): Promise<void> {
  const { facts, session, runner } = rows;
  const start = facts.attempt.start;
  if (plan.retiresParentFor && start?.continuation.mode === 'resume') {
    await db.pointer.updateMany({
      where: { cliSessionId: start.continuation.parentCliSessionId, state: { not: 'retired' } },
      data: { state: 'retired', retiredReason: plan.retiresParentFor },
    });
  }
  const command = attempt.command as CommandEvent | null;
  if (!plan.pointer || !start || !runner || !command) return;
  const tokens = plan.ledger.reduce(
    (sum, line) =>
      sum + line.inputTokens + line.outputTokens + line.cacheReadTokens + line.cacheWriteTokens,
    0,
  );
  const data = {
    cliSessionId: start.cliSessionId,
    runnerId: runner.id,
    workDir: command.workDir,
    workDirInode: command.workDirInode,
    configDir: command.configDir,
    harness: start.harness,
    fingerprint: fingerprintOf(runner.posture, start.harness),
    cliVersion: attempt.cliVersion,
    model: start.model,
    contextTokens: plan.contextTokens,
    contextWindow: plan.contextWindow,
    cumulativeTokens: (facts.parent?.cumulativeTokens ?? 0) + tokens,
    depth: facts.parent ? facts.parent.depth + 1 : 0,
    projectVersion: session.projectVersion,
    state: plan.pointer,
    retiredReason: plan.pointer === 'retired' ? plan.classified.end : null,
    isLate: facts.attempt.isLate,
  };
  await db.pointer.upsert({
    where: {
      organizationId_attemptId: { organizationId: scope.organizationId, attemptId: attempt.id },
    },
    create: {
      organizationId: scope.organizationId,
      projectId: session.projectId,
      sessionId: session.id,
      attemptId: attempt.id,
      ...data,
    },
    update: data,
  });
}

async function writeWindow(
  db: TenantDb,
  scope: TenantScope,
  rows: SettlementRows,
  plan: SettlementPlan,
  now: Date,
): Promise<void> {
  const cliVersion = rows.facts.events.findLast((event) => event.kind === 'init')?.cliVersion;
  if (!cliVersion || plan.contextWindow === null) return;
  const { organizationId } = scope;
  const { model } = rows.session;
  const seen = { windowTokens: plan.contextWindow, seenAt: now };
  await db.modelWindow.upsert({
    where: { organizationId_cliVersion_model: { organizationId, cliVersion, model } },
    create: { organizationId, cliVersion, model, ...seen },
    update: seen,
  });
}

async function writeStep(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: SettlementRows,
  plan: SettlementPlan,
  step: NonNullable<SettlementPlan['step']>,
  now: Date,
): Promise<Rings> {
  const { session, chain, project, facts } = rows;
  const ids = {
    organizationId: scope.organizationId,
    projectId: project.id,
    chainId: chain.id,
    sessionId: session.id,
  };
  await db.session.updateMany({
    where: { id: session.id },
    data: {
      status: step.session.status,
      statusText: step.session.statusText,
      turns: { increment: plan.result?.numTurns ?? 0 },
      ...(plan.report ? { report: toJson(plan.report) } : {}),
      ...(step.session.isEnded ? { endedAt: now } : {}),
    },
  });
  await db.decision.create({
    data: {
      ...ids,
      attemptId: attempt.id,
      ...step.decision,
      facts: toJson({
        end: plan.classified.end,
        checks: facts.events.filter((event) => event.kind === 'check_result').length,
        contextTokens: plan.contextTokens,
        contextWindow: plan.contextWindow,
      }),
      createdAt: now,
    },
  });
  if (step.handoff) {
    const { toTier, source, payload } = step.handoff;
    await db.handoff.create({ data: { ...ids, toTier, source, payload: toJson(payload) } });
  }
  await recordReportedActions(db, scope, rows, plan, now);
  await recordNotices(
    db,
    scope.organizationId,
    step.notices.map((notice) => ({
      ...notice,
      projectId: project.id,
      chainId: chain.id,
      sessionId: session.id,
    })),
    now,
  );
  const rung = await startNext(db, scope, attempt, rows, step, now);
  const audit: AuditEntry[] = [
    {
      action: 'decision.made',
      target: encodeId('ses', session.id),
      detail: { ...step.decision, end: plan.classified.end },
    },
  ];
  if (step.chainEnd) {
    const deliveries = await endChain(db, scope, chain.id, step.chainEnd, audit, now);
    return { attempt: null, deliveries };
  }
  await recordAudit(db, scope, audit);
  return { attempt: rung, deliveries: [] };
}

/** What the agent says it did counts too, unless the control plane saw the command itself. */
async function recordReportedActions(
  db: TenantDb,
  scope: TenantScope,
  { session, project, facts }: SettlementRows,
  plan: SettlementPlan,
  now: Date,
): Promise<void> {
  const reported = plan.report?.actions_taken ?? [];
  const seen = await db.cooldownAction.findMany({
    where: { sessionId: session.id, source: 'command' },
  });
  await recordActions(
    db,
    scope.organizationId,
    reported.flatMap((action, index) => {
      if (action.action === 'other') return [];
      if (seen.some((row) => row.service === action.service && row.action === action.action))
        return [];
      return [
        {
          projectId: project.id,
          sessionId: session.id,
          service: action.service,
          action: action.action,
          source: 'report' as const,
          evidence: `report-${facts.attempt.number}-${index}`,
          command: action.command.slice(0, 2_000),
          at: now,
        },
      ];
    }),
  );
}

async function startNext(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: SettlementRows,
  step: NonNullable<SettlementPlan['step']>,
  now: Date,
): Promise<Rings['attempt']> {
  const { next } = step;
  if (next.kind === 'none') return null;
  const { session, chain, project, runner, facts } = rows;
  const hop = {
    projectId: project.id,
    poolId: attempt.poolId,
    waitUntil: new Date(now.getTime() + HOST_WAIT_SECONDS * 1_000),
  };
  if (next.kind === 'attempt') {
    const notBefore =
      next.afterSeconds > 0 ? new Date(now.getTime() + next.afterSeconds * 1_000) : null;
    // A fallback needs no conversation, and so no particular host.
    const requiredRunnerId = next.onlyMode === null ? attempt.requiredRunnerId : null;
    const { purpose, onlyMode } = next;
    const created = {
      ...hop,
      sessionId: session.id,
      number: attempt.number + 1,
      purpose,
      onlyMode,
      notBefore,
      requiredRunnerId,
    };
    const attemptId = await insertAttempt(db, scope.organizationId, created, now);
    return notBefore ? null : { queue: queueOf(created), attemptId };
  }
  const edge =
    next.tier === 3 ? facts.frozen.continuation.tier2To3 : facts.frozen.continuation.tier1To2;
  const holdsConversation = edge === 'resume' && runner !== null && isReachable(runner, now);
  const sessionId = uuidv7();
  await db.session.create({
    data: {
      id: sessionId,
      organizationId: scope.organizationId,
      projectId: project.id,
      chainId: chain.id,
      number: await raiseSessionNumber(db, scope.organizationId, project.id),
      tier: next.tier,
      parentSessionId: session.id,
      status: 'queued',
      statusText: 'Waiting for a runner.',
      model: next.model,
      projectVersion: chain.projectVersion,
      createdAt: now,
    },
  });
  const created = {
    ...hop,
    sessionId,
    number: 1,
    purpose: 'tier' as const,
    onlyMode: null,
    notBefore: null,
    requiredRunnerId: holdsConversation ? runner.id : null,
  };
  const attemptId = await insertAttempt(db, scope.organizationId, created, now);
  await db.chain.updateMany({
    where: { id: chain.id },
    data: { status: 'waiting', statusText: `Tier ${next.tier} waits for a runner.` },
  });
  return { queue: queueOf(created), attemptId };
}
