import { afterExpiry, askApproval } from '@/lib/engine/approvals/ask-approval';
import { noteRefused } from '@/lib/engine/approvals/note-refused';
import { refusalOfStart } from '@/lib/engine/approvals/refusals';
import { endUnstartedSession } from '@/lib/engine/chains/end-chain';
import { type NewNotice, recordNotices } from '@/lib/engine/events/notices';
import { asSentence, type ClosedGate, type GateCode } from '@/lib/engine/start-policy/gate';
import { hostDueAt } from '@/lib/engine/start-policy/host-gates';
import { markWaiting } from '@/lib/engine/status-data';
import { type HostWait, isHostWait } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { aboutOf, type ClaimFacts, type TierWork } from './facts';
import { affectedBy } from './start-facts';

/**
 * Stores why the work doesn't start. Written once, because the sweep repeats the claim until the
 * gate opens.
 */
export async function hold(
  db: TenantDb,
  scope: TenantScope,
  work: TierWork,
  { code, because, remedy, ends, waitReason }: ClosedGate,
  now: Date,
): Promise<PendingJob[]> {
  const { attempt, session, chain, refusals } = work;
  const { tier } = session;
  const refused = code === 'APPROVAL_REFUSED' && refusalOfStart(refusals, tier);
  if (refused) {
    const { projectId, sessionId } = attempt;
    const about = { projectId, sessionId, chainId: chain.id, tier };
    await noteRefused(db, scope, about, refused, now);
  }
  if (ends !== 'passes') {
    const sentence = `Tier ${tier} was not started: ${because}.`;
    const end =
      ends === 'settled'
        ? ({ sentence, outcome: 'suppressed' } as const)
        : ({ sentence: `${sentence} ${remedy}`, outcome: 'needs_human' } as const);
    return endUnstarted(db, scope, work, { reason: code, ...end }, now);
  }
  const message =
    code === 'PAUSED'
      ? `${asSentence(because)} Tier ${tier} starts once it is resumed.`
      : `Tier ${tier} is waiting: ${because}.`;
  if (isHostWait(waitReason)) await waitForHost(db, work, code, waitReason, now);
  const jobs = await askAboutStart(db, scope, work, code, now);
  if (session.statusText === message) return jobs;
  const waiting = { sessionId: session.id, chainId: chain.id };
  await markWaiting(db, waiting, { statusText: message, waitReason });
  // Several such runners claim in turn, each with a reason of its own.
  if (isHostWait(waitReason) && (await isNoticed(db, session.id, code, message))) return jobs;
  const notice: NewNotice = { ...aboutOf(work), level: 'info', code, message };
  recordNotices(db, [notice], now);
  return jobs;
}

async function isNoticed(
  db: TenantDb,
  sessionId: string,
  code: GateCode,
  message: string,
): Promise<boolean> {
  return (await db.projectEvent.count({ where: { sessionId, code, message } })) > 0;
}

/** Codes of gates that the host of the conversation doesn't open, and another host may. */
const OPEN_ELSEWHERE: readonly GateCode[] = ['CANARY_FAILED', 'CONFINED_ELSEWHERE'];

/** Bounds the wait for a host. The time starts again after a wait for something else. */
async function waitForHost(
  db: TenantDb,
  { attempt: { id, proofDueAt: due }, session }: TierWork,
  code: GateCode,
  wait: HostWait,
  now: Date,
): Promise<void> {
  const isFirst = !isHostWait(session.waitReason) || due === null;
  const data = {
    ...(isFirst ? { proofDueAt: hostDueAt(wait, now) } : {}),
    // Elsewhere it starts with the sealed copy of the conversation, or with the handoff.
    ...(OPEN_ELSEWHERE.includes(code) ? { requiredRunnerId: null } : {}),
  };
  await db.attempt.updateMany({ where: { id }, data });
}

/** Asks people about the start of a tier, once. Until they have decided it isn't claimed again. */
async function askAboutStart(
  db: TenantDb,
  scope: TenantScope,
  work: TierWork,
  code: GateCode,
  now: Date,
): Promise<PendingJob[]> {
  const { attempt, session, chain, given, live, approvals } = work;
  if (code !== 'APPROVAL' || attempt.purpose !== 'tier') return [];
  if (approvals.some(({ attemptId }) => attemptId === attempt.id)) return [];
  const asked = {
    kind: 'tier' as const,
    projectId: attempt.projectId,
    chainId: chain.id,
    sessionId: session.id,
    attemptId: attempt.id,
    tier: session.tier,
    ...{ runnerId: null, commandNumber: null, argv: null, cwd: null, files: [] },
    ...{ commandDigest: null, rule: null, services: affectedBy(work) },
    reason: reasonOfStart(given, chain),
    requester: chain.requestedPerson,
  };
  const { expiresAt, jobs } = await askApproval(db, scope, asked, live.approvals, now);
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: { notBefore: afterExpiry(expiresAt) },
  });
  return jobs;
}

/** Why a tier is due: what the tier before it has reported, or what the person asked for. */
function reasonOfStart(
  given: ClaimFacts['given'],
  { prompt }: Pick<ClaimFacts['chain'], 'prompt'>,
): string {
  if (given === null) return prompt ?? '';
  return [given.escalation_reason, given.summary].filter(Boolean).join(' ');
}

/** Ends the session together with its chain, whose outcome says why. */
export function endUnstarted(
  db: TenantDb,
  scope: TenantScope,
  work: TierWork,
  end: { reason: string; sentence: string; outcome: 'needs_human' | 'suppressed' },
  now: Date,
): Promise<PendingJob[]> {
  const { attempt, session, chain } = work;
  const isSettled = end.outcome === 'suppressed';
  return endUnstartedSession(
    db,
    scope,
    {
      attemptId: attempt.id,
      ...{ session, chain, ...end },
      end: isSettled ? 'stopped' : 'start_failed',
      level: isSettled ? 'info' : 'critical',
      services: affectedBy(work),
    },
    now,
  );
}
