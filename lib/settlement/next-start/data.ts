import { v7 as uuidv7 } from 'uuid';
import { isReachable } from '@/lib/attempts/claim/resume-input';
import { type AttemptRow, insertAttempt, queueOf } from '@/lib/attempts/data';
import { raiseSessionNumber } from '@/lib/chains/data';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { TenantScope } from '@/lib/tenancy/scope';
import type { SettlementRows } from '../data';
import type { SettlementPlan } from '../plan';

/** How long a start waits for the one host that holds its conversation. */
const HOST_WAIT_SECONDS = 120;

export async function startNext(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: SettlementRows,
  step: NonNullable<SettlementPlan['step']>,
  now: Date,
): Promise<{ queue: string; attemptId: string } | null> {
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
    await db.chain.updateMany({
      where: { id: chain.id },
      data: { status: 'waiting', statusText: step.session.statusText },
    });
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
