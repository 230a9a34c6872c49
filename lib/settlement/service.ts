import { Prisma } from '@/generated/prisma/client';
import { type AttemptRow, lockAttempt } from '@/lib/attempts/data';
import { type AuditEntry, recordAudit } from '@/lib/audit/data';
import { endChain } from '@/lib/chains/service/end-chain';
import { toJson } from '@/lib/db/json';
import { inTransaction, type TenantDb } from '@/lib/db/tenant-db';
import { env } from '@/lib/env';
import { recordNotices } from '@/lib/events/data';
import { encodeId } from '@/lib/ids';
import { enqueue, ringRunnerQueue } from '@/lib/queue/enqueue';
import { deliverWebhookJob } from '@/lib/queue/jobs';
import { type AttemptResult, attemptResultSchema } from '@/lib/runner-protocol/schema';
import type { TenantScope } from '@/lib/tenancy/scope';
import { noteBudgets, recordReportedActions, writeLedger } from './booking/data';
import { writePointer, writeWindow } from './conversation/data';
import { loadSettlementFacts, type SettlementRows } from './data';
import { startNext } from './next-start/data';
import { planSettlement, type SettlementPlan } from './plan';

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
  await noteBudgets(db, scope, rows, now);
  await writeAttempt(db, attempt, result, plan, now);
  await writePointer(db, scope, attempt, rows, plan, now);
  await writeWindow(db, scope, rows, plan, now);
  if (!plan.step) return { attempt: null, deliveries: [] };
  return writeStep(db, scope, attempt, rows, plan, plan.step, now);
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
