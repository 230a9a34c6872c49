import { v7 as uuidv7 } from 'uuid';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { endChain } from '@/lib/engine/chains/end-chain';
import { chainEscalated } from '@/lib/engine/domain-events';
import { recordNotices } from '@/lib/engine/events/notices';
import type { FollowUp } from '@/lib/engine/follow-up';
import { writeSettledSession } from '@/lib/engine/status-data';
import type { WaitReason } from '@/lib/engine/statuses';
import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import { beforeCommit } from '@/lib/platform/db/raw';
import { insertRows } from '@/lib/platform/db/rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { encodeId } from '@/lib/platform/ids';
import type { SettlementRows } from './load-facts';
import type { SettlementPlan, SettlementStep } from './plan';
import { startNext, waitReasonOf } from './start-next';

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
  const turns = plan.result?.numTurns ?? 0;
  writeSettledSession(
    db,
    session.id,
    { ...step.session, waitReason: waitReasonAfter(step), turns, report: plan.report },
    now,
  );
  const decision = {
    id: uuidv7(),
    ...ids,
    attemptId: attempt.id,
    ...step.decision,
    facts: {
      end: plan.classified.end,
      checks: facts.events.filter((event) => event.kind === 'check_result').length,
      contextTokens: plan.contextTokens,
      contextWindow: plan.contextWindow,
    },
    createdAt: now,
  };
  beforeCommit(db, insertRows(db, 'decision', [decision]));
  if (step.handoff) {
    const handoff = { id: uuidv7(), ...ids, ...step.handoff, createdAt: now };
    beforeCommit(db, insertRows(db, 'handoff', [handoff]));
  }
  recordNotices(
    db,
    step.notices.map((notice) => ({
      ...notice,
      projectId: project.id,
      chainId: chain.id,
      sessionId: session.id,
    })),
    now,
  );
  const started = await startNext(db, attempt, rows, step, now);
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

function waitReasonAfter({ session, next }: SettlementStep): WaitReason | null {
  return session.isEnded || next.kind !== 'attempt' ? null : waitReasonOf(next);
}
