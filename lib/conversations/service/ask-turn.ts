import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { requireId } from '@/lib/platform/ids/require-id';
import { ringRunnerQueue } from '@/lib/platform/queue/enqueue';
import { listHistory, lockConversation } from '../data';
import type { NewTurn } from '../schema';
import { addNextTurn } from './next-turn';

/**
 * Asks on.
 *
 * @returns `trn_…`
 * @throws ConflictError while a turn of the conversation runs
 */
export async function askTurn(
  scope: TenantScope,
  conversationId: string,
  input: NewTurn,
  now = new Date(),
): Promise<string> {
  requireMay(scope, 'conversation.ask');
  const id = requireId('cnv', conversationId);
  const turn = await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, scope.organizationId, id);
    const turn = await addNextTurn(db, scope, conversation, await listHistory(db, id), input, now);
    await recordAudit(db, scope, {
      action: 'conversation.asked',
      target: conversationId,
      projectId: conversation.projectId,
      detail: { position: turn.position, agent: turn.agent, forceFresh: input.forceFresh },
    });
    return turn;
  });
  await ringRunnerQueue(turn.ring.queue, turn.ring.attemptId);
  return encodeId('trn', turn.turnId);
}
