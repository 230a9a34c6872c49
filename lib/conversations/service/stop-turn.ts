import { endTurn } from '@/lib/engine/kinds/turn/end-turn';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids/require-id';
import { NOT_DELETED } from '../data';

/**
 * Stops the agent's answer; what it cost so far stays. A second time changes nothing.
 *
 * @throws ConflictError when it has ended
 */
export async function stopTurn(
  scope: TenantScope,
  conversationId: string,
  turnId: string,
  now = new Date(),
): Promise<void> {
  requireMay(scope, 'conversation.ask');
  const id = requireId('trn', turnId);
  const of = requireId('cnv', conversationId);
  await inTransaction(scope, async (db) => {
    const turn = await db.turn.findFirst({
      where: { id, conversationId: of, conversation: NOT_DELETED },
    });
    if (!turn) throw new NotFoundError();
    const wasLive = await endTurn(db, scope, turn.sessionId, now);
    if (!wasLive) throw new ConflictError('The agent has already ended this answer.');
    await recordAudit(db, scope, {
      action: 'conversation.stopped',
      target: conversationId,
      projectId: turn.projectId,
      detail: { position: turn.position },
    });
  });
}
