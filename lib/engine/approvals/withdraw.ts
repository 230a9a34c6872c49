import { recordAudit } from '@/lib/identity/audit/record-audit';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { countApproval } from '../count-work';

type Of = { attemptId: string; commandNumber?: { in: number[] } } | { chainId: string };

/** Closes pending requests of an attempt or a chain, because nobody waits for an answer. */
export async function withdrawPending(
  db: TenantDb,
  scope: TenantScope,
  of: Of,
  now: Date,
): Promise<void> {
  const pending = await db.approval.findMany({
    where: { ...of, status: 'pending' },
    select: { id: true, projectId: true, chainId: true, requestedAt: true },
  });
  if (pending.length === 0) return;
  await db.approval.updateMany({
    where: { id: { in: pending.map(({ id }) => id) } },
    data: { status: 'withdrawn', decidedAt: now },
  });
  for (const approval of pending) countApproval(db, approval, 'withdrawn', now);
  await recordAudit(
    db,
    scope,
    pending.map(({ id, projectId, chainId }) => ({
      action: 'approval.withdrawn' as const,
      target: encodeId('apr', id),
      projectId,
      detail: { chain: encodeId('chn', chainId) },
    })),
  );
}
