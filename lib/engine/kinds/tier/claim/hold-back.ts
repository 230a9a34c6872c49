import type { AttemptRow } from '@/lib/engine/attempt/data';
import { endUnstartedSession } from '@/lib/engine/chains/service/end-chain';
import type { ResumeDecision } from '@/lib/engine/continuation/schema';
import { recordNotices } from '@/lib/engine/events/notices';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/pending-jobs';
import type { ClaimFacts } from './facts';
import type { StartHold } from './hold';
import { recordContinuation, sentenceOf } from './record-continuation';

/**
 * Says why a start is held back: once, since the sweep rings again until nothing holds it.
 *
 * @returns jobs, where the chain ends
 */
export async function holdBack(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  { project, chain, session }: ClaimFacts,
  hold: StartHold,
  now: Date,
): Promise<PendingJob[]> {
  const { sentence } = hold;
  if (hold.kind === 'end') {
    const { reason, services } = hold;
    const ended = { attemptId: attempt.id, session, chain, reason, sentence };
    return endUnstartedSession(
      db,
      scope,
      { ...ended, end: 'stopped', outcome: 'suppressed', level: 'info', services },
      now,
    );
  }
  if (session.statusText === sentence) return [];
  const waiting = { status: 'waiting', statusText: sentence };
  await db.session.updateMany({ where: { id: session.id }, data: waiting });
  await db.chain.updateMany({ where: { id: chain.id }, data: waiting });
  const about = { projectId: project.id, chainId: chain.id, sessionId: session.id };
  const notice = { ...about, level: 'info' as const, code: hold.code, message: sentence };
  await recordNotices(db, scope.organizationId, [notice], now);
  return [];
}

/**
 * The agent's CLI on the runner that asked is on a denylist: the start waits for another runner, or
 * for another version on this one. Recorded once for each thing that there is to say, since the
 * runner asks again with every sweep.
 */
export async function holdForVersion(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  facts: ClaimFacts,
  decision: ResumeDecision,
  now: Date,
): Promise<void> {
  const { project, chain, session, runner } = facts;
  await db.attempt.updateMany({
    where: { id: attempt.id, requiredRunnerId: runner.id },
    data: { requiredRunnerId: null },
  });
  const { reason } = decision;
  const sentence = sentenceOf(decision, facts);
  const recorded = { attemptId: attempt.id, reason, sentence };
  if ((await db.decision.count({ where: recorded })) > 0) return;
  await recordContinuation(db, scope, attempt, facts, decision, now);
  const waiting = { status: 'waiting', statusText: sentence };
  await db.session.updateMany({ where: { id: session.id }, data: waiting });
  await db.chain.updateMany({ where: { id: chain.id }, data: waiting });
  const about = { projectId: project.id, chainId: chain.id, sessionId: session.id };
  const notice = { ...about, level: 'warning' as const, code: reason, message: sentence };
  await recordNotices(db, scope.organizationId, [notice], now);
}

/** The decision waits for a host or a writer: asked again soon, and by the deadline at the latest. */
export async function postpone(
  db: TenantDb,
  attempt: AttemptRow,
  facts: ClaimFacts,
  text: string,
  waitMs: number,
  now: Date,
): Promise<void> {
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: {
      notBefore: new Date(now.getTime() + waitMs),
      requiredRunnerId: facts.pointer?.runnerId ?? null,
    },
  });
  await db.session.updateMany({
    where: { id: facts.session.id },
    data: { status: 'waiting', statusText: text },
  });
  await db.chain.updateMany({
    where: { id: facts.chain.id },
    data: { status: 'waiting', statusText: text },
  });
}
