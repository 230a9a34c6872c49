import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { getChainSession, markDiscarded } from '../request/data';
import type { Discard } from '../schema';

/**
 * Discards the checkpoints of a session: no start recovers from them. They can be read until their
 * retention ends. A repeated call changes nothing.
 */
export function discardSession(
  scope: TenantScope,
  sessionId: string,
  now = new Date(),
): Promise<Discard> {
  requireMay(scope, 'session.discard');
  const id = requireId('ses', sessionId);
  return inTransaction(scope, async (db) => {
    const isNew = await markDiscarded(db, id, { at: now, label: scope.actor.label });
    const session = await getChainSession(db, id);
    if (isNew) {
      await recordAudit(db, scope, {
        action: 'session.discarded',
        target: sessionId,
        projectId: session.projectId,
        detail: { number: session.number },
      });
    }
    return {
      sessionId,
      discardedAt: (session.discardedAt ?? now).toISOString(),
      discardedBy: session.discardedBy ?? scope.actor.label,
    };
  });
}
