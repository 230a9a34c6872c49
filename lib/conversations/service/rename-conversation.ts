import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { lockConversation } from '../data';
import { titleOf } from '../title';

/** Throws NotFoundError. */
export async function renameConversation(
  scope: TenantScope,
  conversationId: string,
  input: { title: string },
): Promise<void> {
  requireMay(scope, 'conversation.ask');
  const id = requireId('cnv', conversationId);
  await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, scope.organizationId, id);
    const title = titleOf(createRedactor({ secrets: [] }).text(input.title));
    if (title === conversation.title) return;
    await db.conversation.updateMany({ where: { id }, data: { title } });
    await recordAudit(db, scope, {
      action: 'conversation.renamed',
      target: conversationId,
      projectId: conversation.projectId,
      // Not its words: they could not be deleted from here.
      detail: {},
    });
  });
}
