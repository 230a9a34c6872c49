/** Asks people to decide about a command or about the start of a tier. */
import { v7 as uuidv7 } from 'uuid';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { encodeId } from '@/lib/platform/ids';
import type { PendingJob } from '@/lib/platform/queue/enqueue';
import type { ApprovalSettings } from '@/lib/projects/approval-settings';
import { approvalRequested } from '../domain-events';
import { recordNotices } from '../events/notices';
import { insertApproval } from './data';
import { type ApprovalSubject, approvalDigest } from './digest';
import { approvalTitle } from './words';

interface NewApproval extends Omit<ApprovalSubject, 'organizationId'> {
  /** E-mail of the person who started the chain; null: nobody did. */
  requester: string | null;
}

/**
 * When an attempt that waits for a decision is next claimed without one: after the sweep has ended what
 * has expired, so that this is announced.
 */
export function afterExpiry(expiresAt: Date): Date {
  return new Date(expiresAt.getTime() + 60_000);
}

/**
 * Stores a request for approval, and announces it.
 *
 * @returns its UUID, when it expires, and jobs to enqueue after the commit
 */
export async function askApproval(
  db: TenantDb,
  scope: TenantScope,
  { requester, ...asked }: NewApproval,
  settings: ApprovalSettings,
  now: Date,
): Promise<{ id: string; heldUntil: Date | null; expiresAt: Date; jobs: PendingJob[] }> {
  const { organizationId } = scope;
  const subject: ApprovalSubject = { ...asked, organizationId };
  const id = uuidv7();
  const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  const heldUntil = asked.kind === 'command' ? later(settings.holdSeconds) : null;
  const expiresAt = later(settings.expiresSeconds);
  await insertApproval(db, {
    ...subject,
    id,
    digest: approvalDigest(subject),
    requester,
    minRole: asked.tier <= settings.operatorsUpToTier ? 'operator' : 'admin',
    peopleNeeded: settings.people,
    onRefusal: settings.onRefusal,
    requestedAt: now,
    heldUntil,
    expiresAt,
    granteeId: asked.attemptId,
  });
  const { projectId, chainId, sessionId, kind, tier, argv } = asked;
  const message = `${approvalTitle(asked)} waits for approval.`;
  recordNotices(
    db,
    [{ projectId, chainId, sessionId, level: 'warning', code: 'APPROVAL_REQUESTED', message }],
    now,
  );
  const jobs = await publish(db, scope, approvalRequested, { approvalId: id }, now);
  await recordAudit(db, scope, {
    action: 'approval.requested',
    target: encodeId('apr', id),
    projectId,
    detail: { kind, tier, argv, rule: asked.rule, chain: encodeId('chn', chainId) },
  });
  return { id, heldUntil, expiresAt, jobs };
}
