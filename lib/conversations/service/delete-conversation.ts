import { eraseConversation, eraseSessions, lockAttempts } from '@/lib/engine/kinds/turn/erase/data';
import { recordAudit } from '@/lib/identity/audit/data';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { forgetAnswers } from '@/lib/platform/http/idempotency/service';
import { encodeId } from '@/lib/platform/ids';
import { requireId } from '@/lib/platform/ids/require-id';
import { lockConversation } from '../data';

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
    await lockAttempts(db, scope.organizationId, id);
    const turns = await db.turn.findMany({
      where: { conversationId: id },
      select: { id: true, cutAt: true, sessionId: true, session: { select: { endedAt: true } } },
    });
    const live = turns.find(({ session }) => session.endedAt === null);
    if (live) {
      throw new ConflictError(
        live.cutAt
          ? 'A turn that was taken out is still being stopped. Wait until it has ended.'
          : 'The agent is still answering. Stop it, or wait until it has ended.',
        { turnId: encodeId('trn', live.id) },
      );
    }
    await eraseConversation(db, id, { at: now, label: scope.actor.label });
    const sessionIds = turns.map(({ sessionId }) => sessionId);
    await eraseSessions(db, scope.organizationId, sessionIds);
    await forgetAnswers(db, `/api/v1/conversations/${conversationId}`);
    await recordAudit(db, scope, {
      action: 'conversation.deleted',
      target: conversationId,
      projectId: conversation.projectId,
      detail: { turns: turns.length },
    });
  });
}
