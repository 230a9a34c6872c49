/** Uses the approval of a tier's start, and returns it after a start in which no work began. */
import { type AuditEntry, recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import type { AttemptRow } from '../attempt/data';

type Start = Pick<AttemptRow, 'id' | 'projectId'>;

/**
 * Marks the approval as used by an attempt that starts now.
 *
 * @returns the entry for the audit log, which is to be written in the same transaction
 * @throws ConflictError if another start has used it: then this one must not happen
 */
export async function markUsedByStart(
  db: TenantDb,
  { id: attemptId, projectId }: Start,
  approvalId: string,
  now: Date,
): Promise<AuditEntry> {
  const { count } = await db.approval.updateMany({
    where: { id: approvalId, kind: 'tier', status: 'approved', usedAt: null },
    data: { usedAt: now, granteeId: attemptId },
  });
  if (count === 0) {
    const message = 'The approval of this start has been used already.';
    throw new ConflictError(message, { code: 'held_back' });
  }
  return {
    action: 'approval.used',
    target: encodeId('apr', approvalId),
    projectId,
    detail: { attempt: encodeId('att', attemptId) },
  };
}

/** Makes the approval usable again that an attempt has used without beginning its work. */
export async function returnFromStart(
  db: TenantDb,
  scope: TenantScope,
  { id: attemptId, projectId }: Start,
): Promise<void> {
  const where = { granteeId: attemptId, kind: 'tier', usedAt: { not: null } };
  const used = await db.approval.findMany({ where, select: { id: true } });
  if (used.length === 0) return;
  await db.approval.updateMany({ where, data: { usedAt: null } });
  await recordAudit(
    db,
    scope,
    used.map(({ id }) => ({
      action: 'approval.returned' as const,
      target: encodeId('apr', id),
      projectId,
      detail: { attempt: encodeId('att', attemptId) },
    })),
  );
}
