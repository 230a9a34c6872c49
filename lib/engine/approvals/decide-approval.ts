/** A person decides about a command or about the start of a tier. */

import { queueOf } from '@/lib/fleet/queues';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { findPerson } from '@/lib/identity/members/person-rows';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { ConflictError, ForbiddenError, NotFoundError } from '@/lib/platform/errors';
import { encodeId, requireId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { approverRoleSchema } from '@/lib/projects/approval-settings';
import type { AttemptRow } from '../attempt/data';
import { HOST_WAIT_SECONDS } from '../continuation/decide';
import { countApproval } from '../count-work';
import { approvalDecided } from '../domain-events';
import { recordNotices } from '../events/notices';
import { enqueueFollowUp, type FollowUp } from '../follow-up';
import {
  type ApprovalDecision,
  type ApprovalVerdict,
  approvalStatusSchema,
  approvalVerdictSchema,
} from '../statuses';
import { findApproval, findFinalRefusal, lockLiveAttempt, type VotedApprovalRow } from './data';
import { countVote, type VoteOutcome, whyNotAllowedAgain } from './vote';
import { approvalTitle } from './words';

interface Decision {
  verdict: ApprovalDecision;
  /** The `digest` of the approval that the person was shown. */
  digest: string;
  /** For the agent and for others; may be empty. */
  note: string;
}

/**
 * Counts a person's decision, and wakes what waits for it; or takes a refusal back.
 *
 * @param approvalId `apr_…`
 * @throws ForbiddenError if this person may not decide about it
 * @throws ConflictError if it was decided, has expired, was withdrawn, or isn't what the person saw
 */
export async function decideApproval(
  scope: TenantScope,
  approvalId: string,
  decision: Decision,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'approval.decide');
  const id = requireId('apr', approvalId);
  await enqueueFollowUp(
    await inTransaction(scope, async (db) => {
      const listed = await findApproval(db, id);
      if (!listed) throw new NotFoundError();
      const live = await lockLiveAttempt(db, listed.sessionId);
      // Read under the lock of the attempt, so that two people decide one after the other.
      const approval = await findApproval(db, id);
      if (!approval) throw new NotFoundError();
      const { verdict } = decision;
      return verdict === 'allow_again'
        ? allowAgain(db, scope, approval, decision, now)
        : vote(db, scope, approval, live, { ...decision, verdict }, now);
    }),
  );
}

async function vote(
  db: TenantDb,
  scope: TenantScope,
  approval: VotedApprovalRow,
  live: AttemptRow | null,
  { verdict, digest, note }: Decision & { verdict: ApprovalVerdict },
  now: Date,
): Promise<FollowUp> {
  const { organizationId, actor } = scope;
  const person = await findPerson(db, scope);
  const email = person?.email ?? null;
  const outcome = countVote(
    {
      ...approval,
      status: approvalStatusSchema.parse(approval.status),
      minRole: approverRoleSchema.parse(approval.minRole),
      votes: approval.votes.map((each) => ({
        ...each,
        verdict: approvalVerdictSchema.parse(each.verdict),
      })),
    },
    { person: email, role: person?.role ?? null, verdict, digest },
    now,
  );
  if (outcome.kind !== 'counted') throw errorOf(outcome);
  if (email === null) throw new Error('A vote without a person was counted.');
  const { text } = createRedactor({ secrets: [] });
  const said = text(note.trim());
  await db.approvalVote.create({
    data: {
      organizationId,
      approvalId: approval.id,
      person: email,
      verdict,
      note: said,
      via: actor.kind === 'user' ? 'page' : 'api',
      votedAt: now,
    },
  });
  const { status } = outcome;
  const { projectId, chainId, sessionId } = approval;
  const entry = {
    action: verdict === 'approve' ? ('approval.approved' as const) : ('approval.refused' as const),
    target: encodeId('apr', approval.id),
    projectId,
    detail: { digest, person: email, note: said, status, chain: encodeId('chn', chainId) },
  };
  if (status === 'pending') {
    await recordAudit(db, scope, entry);
    return { attempt: null, jobs: [] };
  }
  const soonest = soonestEnd(now).getTime();
  const expiresAt = new Date(Math.max(approval.expiresAt.getTime(), soonest));
  await db.approval.updateMany({
    where: { id: approval.id },
    data: { status, decidedAt: now, expiresAt },
  });
  countApproval(db, approval, status, now);
  const message = `${email} ${status} ${lowered(approvalTitle(approval))}${said === '' ? '' : `: ${said}`}`;
  recordNotices(
    db,
    [
      {
        projectId,
        chainId,
        sessionId,
        level: 'info',
        code: `APPROVAL_${status.toUpperCase()}`,
        message,
      },
    ],
    now,
  );
  const attempt = live && (await wakeDecided(db, approval, live, now));
  const jobs = await publish(db, scope, approvalDecided, { approvalId: approval.id }, now);
  await recordAudit(db, scope, entry);
  return { attempt, jobs };
}

/** Takes a refusal back: the rules, people and limits of each tier decide again. Nothing runs by itself. */
async function allowAgain(
  db: TenantDb,
  scope: TenantScope,
  approval: VotedApprovalRow,
  { digest, note }: Decision,
  now: Date,
): Promise<FollowUp> {
  const found = await findPerson(db, scope);
  const person = found?.email ?? null;
  const status = approvalStatusSchema.parse(approval.status);
  const minRole = approverRoleSchema.parse(approval.minRole);
  const ballot = { person, role: found?.role ?? null, digest };
  const outcome = whyNotAllowedAgain({ ...approval, status, minRole }, ballot);
  if (outcome !== null) throw errorOf(outcome);
  const { id, projectId, chainId, sessionId } = approval;
  const said = createRedactor({ secrets: [] }).text(note.trim());
  await db.approval.updateMany({
    where: { id },
    data: { allowedAgainAt: now, allowedAgainBy: person },
  });
  const code = 'REFUSAL_TAKEN_BACK';
  const message = `${person} allowed ${lowered(approvalTitle(approval))} again${said === '' ? '' : `: ${said}`}`;
  recordNotices(db, [{ projectId, chainId, sessionId, level: 'info', code, message }], now);
  await recordAudit(db, scope, {
    action: 'approval.allowed_again',
    target: encodeId('apr', id),
    projectId,
    detail: { digest, person, note: said, chain: encodeId('chn', chainId) },
  });
  return { attempt: null, jobs: [] };
}

function errorOf({ kind, message }: Exclude<VoteOutcome, { kind: 'counted' }>): Error {
  return kind === 'forbidden' ? new ForbiddenError(message) : new ConflictError(message);
}

function lowered(title: string): string {
  return title.startsWith('The ') ? `t${title.slice(1)}` : title;
}

/** A decision just before the end still leaves time to use it. */
const MIN_SECONDS_TO_USE = 600;

/** Returns the time until which an approval can be used at least. */
function soonestEnd(now: Date): Date {
  return new Date(now.getTime() + MIN_SECONDS_TO_USE * 1_000);
}

/**
 * Lets the attempt that waits for decisions be claimed, once nothing is pending that it waits for, or one
 * of them ends the chain. A process that holds its command asks by itself.
 */
export async function wakeDecided(
  db: TenantDb,
  { sessionId, chainId }: { sessionId: string; chainId: string },
  live: AttemptRow,
  now: Date,
): Promise<FollowUp['attempt']> {
  if (live.status !== 'queued') return null;
  const own = { sessionId, granteeId: live.id };
  const isPending = (await db.approval.count({ where: { ...own, status: 'pending' } })) > 0;
  if (isPending && (await findFinalRefusal(db, sessionId)) === null) return null;
  // Some may have waited for the decisions about others.
  const soonest = soonestEnd(now);
  await db.approval.updateMany({
    where: { ...own, status: 'approved', usedAt: null, expiresAt: { lt: soonest } },
    data: { expiresAt: soonest },
  });
  const waitUntil = new Date(now.getTime() + HOST_WAIT_SECONDS * 1_000);
  await db.attempt.updateMany({
    where: { id: live.id },
    data: { notBefore: null, waitUntil, enqueuedAt: now },
  });
  const waiting = { statusText: 'Decided. Waiting for a runner.', waitReason: 'runner' };
  await db.session.updateMany({ where: { id: sessionId }, data: waiting });
  await db.chain.updateMany({ where: { id: chainId, status: 'waiting' }, data: waiting });
  return { queue: queueOf(live), attemptId: live.id };
}
