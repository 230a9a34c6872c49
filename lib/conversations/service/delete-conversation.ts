import { eraseTurns } from '@/lib/engine/kinds/turn/erase/erase-turns';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { forgetAnswers } from '@/lib/platform/http/idempotency/service';
import { requireId } from '@/lib/platform/ids/require-id';
import { lockConversation, markDeleted } from '../data';

/**
 * Deletes what was asked, answered, looked at and logged in a conversation. What it cost stays, and
 * the audit log says who deleted it.
 *
 * @throws ConflictError while a turn of it runs
 */
export async function deleteConversation(
  scope: TenantScope,
  conversationId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'conversation.delete');
  const id = requireId('cnv', conversationId);
  await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, scope.organizationId, id);
    const turns = await eraseTurns(db, scope, id, now);
    await markDeleted(db, id, { at: now, label: scope.actor.label });
    await forgetAnswers(db, `/api/v1/conversations/${conversationId}`);
    await recordAudit(db, scope, {
      action: 'conversation.deleted',
      target: conversationId,
      projectId: conversation.projectId,
      detail: { turns },
    });
  });
}
