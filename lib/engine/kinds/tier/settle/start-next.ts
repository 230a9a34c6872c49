import { v7 as uuidv7 } from 'uuid';
import { giveTo } from '@/lib/engine/approvals/data';
import type { AttemptRow } from '@/lib/engine/attempt/data';
import { HOST_WAIT_SECONDS } from '@/lib/engine/continuation/decide';
import type { FollowUp } from '@/lib/engine/follow-up';
import type { WaitReason } from '@/lib/engine/statuses';
import { queueOf } from '@/lib/fleet/queues';
import { isReachable } from '@/lib/fleet/status';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { insertNext, type NextAttempt, type NextSession } from './data';
import type { SettlementRows } from './load-facts';
import type { NextStep, SettlementStep } from './plan';

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
export async function startNext(
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
export function waitReasonOf({
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
