import { v7 as uuidv7 } from 'uuid';
import { giveTo } from '@/lib/engine/approvals/data';
import { endChain } from '@/lib/engine/chains/end-chain';
import { HOST_WAIT_SECONDS } from '@/lib/engine/continuation/decide';
import { chainEscalated } from '@/lib/engine/domain-events';
import { recordNotices } from '@/lib/engine/events/notices';
import { writeSettledSession } from '@/lib/engine/status-data';
import type { WaitReason } from '@/lib/engine/statuses';
import { queueOf } from '@/lib/fleet/queues';
import { isReachable } from '@/lib/fleet/status';
import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import { beforeCommit } from '@/lib/platform/db/raw';
import { insertRows } from '@/lib/platform/db/rows';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { encodeId } from '@/lib/platform/ids';
import type { AttemptResult } from '@/lib/protocol/schema';
import { returnFromStart } from '../../../approvals/start-use';
import { withdrawPending } from '../../../approvals/withdraw';
import type { AttemptRow } from '../../../attempt/data';
import { countAttempt } from '../../../count-work';
import { writePointer, writeWindow } from '../../../ending/data';
import { ENDS_BEFORE_WORK } from '../../../ending/end-plan';
import { reportChangedConversation } from '../../../ending/report-changed-conversation';
import { bookEnd } from '../../../ending/write-ledger';
import type { FollowUp } from '../../../follow-up';
import { endAttempt } from '../../../status-data';
import { insertNext, type NextAttempt, type NextSession } from './data';
import { loadSettlementFacts, type SettlementRows } from './load-facts';
import { type NextStep, planSettlement, type SettlementPlan, type SettlementStep } from './plan';

/** Settles the locked attempt of a tier: plans what follows and writes it. */
export async function settleTier(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  result: AttemptResult,
  now: Date,
): Promise<FollowUp> {
  const rows = await loadSettlementFacts(db, attempt, result, env(), now);
  const plan = planSettlement(rows.facts, now);
  const { live, spending } = rows.facts;
  const money = { budgets: live.budgets, before: spending };
  const warned = await bookEnd(db, scope, attempt, rows, plan, money, now);
  endAttempt(db, attempt, result, plan, now);
  if (plan.step) countAttempt(db, rows.session.tier, plan.classified.end);
  await writePointer(db, attempt, rows, plan, now);
  writeWindow(db, rows, plan, now);
  if (plan.classified.end !== 'waiting_for_approval') {
    await withdrawPending(db, scope, { attemptId: attempt.id }, now);
  }
  const hasWorked = rows.facts.events.some(
    ({ kind }) => kind === 'tool_call' || kind === 'brokered',
  );
  if (ENDS_BEFORE_WORK.includes(plan.classified.end) && !hasWorked) {
    await returnFromStart(db, scope, attempt);
  }
  await reportChangedConversation(db, scope, rows, plan, now);
  if (!plan.step) return { attempt: null, jobs: warned };
  const followUp = await writeStep(db, scope, attempt, rows, plan, plan.step, now);
  return { ...followUp, jobs: [...warned, ...followUp.jobs] };
}

/**
 * Writes session, decision, handoff and messages, and what follows: the next start or the chain's
 * end.
 */
async function writeStep(
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

interface StartedNext {
  /** The wake-up job of the attempt; null if its time has not come. */
  attempt: FollowUp['attempt'];
  /** UUID of the next tier's session; null for another attempt of the same one. */
  sessionId: string | null;
}

/**
 * Writes the next attempt or session.
 *
 * @returns null if nothing follows
 */
async function startNext(
  db: TenantDb,
  attempt: AttemptRow,
  rows: SettlementRows,
  step: SettlementStep,
  now: Date,
): Promise<StartedNext | null> {
  const planned = planNext(attempt, rows, step, now);
  if (!planned) return null;
  const { next, session } = planned;
  insertNext(db, next, session, now);
  if (next.purpose === 'approval') await giveTo(db, attempt.id, next.attemptId);
  const job = next.notBefore ? null : { queue: queueOf(next), attemptId: next.attemptId };
  return { attempt: job, sessionId: session && next.sessionId };
}

function planNext(
  attempt: AttemptRow,
  rows: SettlementRows,
  step: SettlementStep,
  now: Date,
): { next: NextAttempt; session: NextSession | null } | null {
  const { next } = step;
  if (next.kind === 'none') return null;
  const { session, chain, project, runner, facts } = rows;
  const hop = {
    attemptId: uuidv7(),
    projectId: project.id,
    chainId: chain.id,
    poolId: attempt.poolId,
    waitUntil: new Date(now.getTime() + HOST_WAIT_SECONDS * 1_000),
  };
  if (next.kind === 'attempt') {
    const notBefore =
      next.afterSeconds > 0 ? new Date(now.getTime() + next.afterSeconds * 1_000) : null;
    return {
      next: {
        ...hop,
        sessionId: session.id,
        number: attempt.number + 1,
        purpose: next.purpose,
        onlyMode: next.onlyMode,
        notBefore: next.purpose === 'approval' ? facts.pendingUntil : notBefore,
        requiredRunnerId: requiredRunner(attempt, next),
        statusText: step.session.statusText,
        waitReason: waitReasonOf(next),
      },
      session: null,
    };
  }
  const { continuation } = facts.frozen;
  const edge = next.tier === 3 ? continuation.tier2To3 : continuation.tier1To2;
  const isHandedOff = attempt.isTainted && facts.frozen.taintedConversation === 'handoff';
  const holdsConversation =
    edge === 'resume' && !isHandedOff && runner !== null && isReachable(runner, now);
  return {
    next: {
      ...hop,
      sessionId: uuidv7(),
      number: 1,
      purpose: 'tier',
      onlyMode: null,
      notBefore: null,
      requiredRunnerId: holdsConversation ? runner.id : null,
      statusText: `Tier ${next.tier} is waiting for a runner.`,
      waitReason: 'runner',
    },
    session: {
      parentSessionId: session.id,
      tier: next.tier,
      model: next.model,
      projectVersion: chain.projectVersion,
    },
  };
}

/** Why a session's next attempt waits. */
function waitReasonOf({
  purpose,
}: Pick<Extract<NextStep, { kind: 'attempt' }>, 'purpose'>): WaitReason {
  return purpose === 'approval' ? 'approval' : 'retry';
}

function requiredRunner(
  attempt: AttemptRow,
  { purpose, onlyMode }: Extract<NextStep, { kind: 'attempt' }>,
): string | null {
  // Its own conversation is on the host that ran it.
  if (purpose === 'continue' || purpose === 'approval') return attempt.runnerId;
  // A fallback needs no conversation, and so no specific host.
  return onlyMode === null ? attempt.requiredRunnerId : null;
}
