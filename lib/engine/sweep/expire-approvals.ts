/** Requests that nobody has decided in time: their chains end, and need a human. */

import { recordAudit } from '@/lib/identity/audit/record-audit';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { forEachRowIsolated } from '@/lib/platform/db/batches';
import { systemDb } from '@/lib/platform/db/global-db';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { encodeId } from '@/lib/platform/ids';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import { tierSchema } from '@/lib/protocol/spec';
import { type ApprovalRow, findApproval, lockLiveAttempt } from '../approvals/data';
import { wakeDecided } from '../approvals/decide-approval';
import { approvalTitle } from '../approvals/words';
import type { AttemptRow } from '../attempt/data';
import { endUnstartedSession } from '../chains/end-chain';
import { countApproval } from '../count-work';
import { approvalExpired } from '../domain-events';
import { enqueueFollowUp, type FollowUp } from '../follow-up';
import { approvalGate } from '../start-policy/approval-gate';
import { refusalText } from '../start-policy/gate';

const PER_SWEEP = 200;

/** @returns how many requests have expired */
export async function expireApprovals(now = new Date()): Promise<number> {
  const due = await systemDb('approvals of every organization').approval.findMany({
    where: { status: 'pending', expiresAt: { lte: now } },
    orderBy: { expiresAt: 'asc' },
    take: PER_SWEEP,
    select: { id: true, organizationId: true },
  });
  return forEachRowIsolated('approvals', due, async ({ id, organizationId }) => {
    const scope = scopeOfSystem(organizationId, 'Approvals');
    await enqueueFollowUp(await inTransaction(scope, (db) => expire(db, scope, id, now)));
  });
}

async function expire(db: TenantDb, scope: TenantScope, id: string, now: Date): Promise<FollowUp> {
  const listed = await findApproval(db, id);
  const live = listed && (await lockLiveAttempt(db, listed.sessionId));
  const approval = await findApproval(db, id);
  if (approval?.status !== 'pending' || approval.expiresAt > now)
    return { attempt: null, jobs: [] };
  await db.approval.updateMany({ where: { id }, data: { status: 'expired', decidedAt: now } });
  countApproval(db, approval, 'expired', now);
  const jobs = await publish(db, scope, approvalExpired, { approvalId: id }, now);
  const after = live && (await afterExpired(db, scope, approval, live, now));
  await recordAudit(db, scope, {
    action: 'approval.expired',
    target: encodeId('apr', id),
    projectId: approval.projectId,
    detail: { chain: encodeId('chn', approval.chainId) },
  });
  return { attempt: after?.attempt ?? null, jobs: [...jobs, ...(after?.jobs ?? [])] };
}

/**
 * What waits for this decision alone ends. What waits for others, too, or has the approval for one of
 * them, continues.
 */
async function afterExpired(
  db: TenantDb,
  scope: TenantScope,
  approval: ApprovalRow,
  live: AttemptRow,
  now: Date,
): Promise<FollowUp> {
  // A process that holds its command learns it from its next request.
  if (live.status !== 'queued') return { attempt: null, jobs: [] };
  const others = await db.approval.count({
    where: {
      granteeId: live.id,
      kind: 'command',
      OR: [{ status: 'pending' }, { status: 'approved', usedAt: null }],
    },
  });
  if (others > 0) return { attempt: await wakeDecided(db, approval, live, now), jobs: [] };
  return { attempt: null, jobs: await endWaiting(db, scope, approval, live, now) };
}

function endWaiting(
  db: TenantDb,
  scope: TenantScope,
  approval: ApprovalRow,
  live: AttemptRow,
  now: Date,
): Promise<PendingJob[]> {
  const { chainId, projectId, sessionId, tier, services } = approval;
  const gate = approvalGate({
    tier: tierSchema.parse(tier),
    approval: { kind: 'expired', title: approvalTitle(approval) },
  });
  if (gate === null) throw new Error('An approval that has expired closes no gate.');
  return endUnstartedSession(
    db,
    scope,
    {
      attemptId: live.id,
      session: { id: sessionId },
      chain: { id: chainId, projectId },
      reason: gate.code,
      sentence: `Tier ${tier} ${approval.kind === 'tier' ? 'was not started' : 'was not continued'}: ${refusalText(gate)}`,
      end: 'start_failed',
      outcome: 'needs_human',
      level: 'critical',
      services,
    },
    now,
  );
}
