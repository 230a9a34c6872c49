import type { AttemptRow } from '@/lib/engine/attempt/data';
import { endChain } from '@/lib/engine/chains/end-chain';
import { listSeenCommands, recordActions } from '@/lib/engine/cooldowns/recorded-actions';
import { chainEscalated } from '@/lib/engine/domain-events';
import { recordNotices } from '@/lib/engine/events/notices';
import type { FollowUp } from '@/lib/engine/follow-up';
import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { encodeId } from '@/lib/platform/ids';
import type { SettlementRows } from './load-facts';
import type { SettlementPlan, SettlementStep } from './plan';
import { startNext } from './start-next';

/**
 * Writes session, decision, handoff and messages, and what follows: the next start or the chain's
 * end.
 */
export async function writeStep(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: SettlementRows,
  plan: SettlementPlan,
  step: SettlementStep,
  now: Date,
): Promise<FollowUp> {
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
      waitReason: step.session.isEnded ? null : 'retry',
      turns: { increment: plan.result?.numTurns ?? 0 },
      ...(plan.report ? { report: toJson(plan.report) } : {}),
      ...(step.session.isEnded ? { endedAt: now } : {}),
    },
  });
  await db.decision.createMany({
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
    await db.handoff.createMany({ data: { ...ids, toTier, source, payload: toJson(payload) } });
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
  const started = await startNext(db, scope, attempt, rows, step, now);
  const audit: AuditEntry[] = [
    {
      action: 'decision.made',
      target: encodeId('ses', session.id),
      projectId: project.id,
      detail: { ...step.decision, end: plan.classified.end },
    },
  ];
  if (step.chainEnd) {
    const jobs = await endChain(db, scope, chain.id, step.chainEnd, audit, now);
    return { attempt: null, jobs };
  }
  const jobs = started?.sessionId
    ? await publish(
        db,
        scope,
        chainEscalated,
        {
          chainId: chain.id,
          fromSessionId: session.id,
          toSessionId: started.sessionId,
          services: step.handoff?.payload.services_affected ?? [],
        },
        now,
      )
    : [];
  await recordAudit(db, scope, audit);
  return { attempt: started?.attempt ?? null, jobs };
}

/**
 * Records the actions that the agent reports, except those whose command the control plane has
 * recorded itself.
 */
async function recordReportedActions(
  db: TenantDb,
  scope: TenantScope,
  { session, project, facts }: SettlementRows,
  plan: SettlementPlan,
  now: Date,
): Promise<void> {
  const reported = plan.report?.actions_taken ?? [];
  if (reported.length === 0) return;
  const seen = await listSeenCommands(db, session.id);
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
