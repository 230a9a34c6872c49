import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { lockConversation } from '../data';
import { takeBack } from './take-back';

/** Takes a turn and what followed it out of the history. Its cost and its log stay. */
export async function cutTurn(
  scope: TenantScope,
  conversationId: string,
  turnId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'conversation.ask');
  const id = requireId('cnv', conversationId);
  const uuid = requireId('trn', turnId);
  await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, scope.organizationId, id);
    const { turn } = await takeBack(db, scope, conversation, uuid, now);
    await recordAudit(db, scope, {
      action: 'conversation.cut',
      target: conversationId,
      projectId: conversation.projectId,
      detail: { position: turn.position },
    });
  });
}
