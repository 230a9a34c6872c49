import { recordAudit } from '@/lib/audit/data';
import { inTransaction } from '@/lib/db/tenant-db';
import { encodeId } from '@/lib/ids';
import { requireId } from '@/lib/ids/require-id';
import { ringRunnerQueue } from '@/lib/queue/enqueue';
import { requireMay } from '@/lib/tenancy/role-matrix';
import type { TenantScope } from '@/lib/tenancy/scope';
import { listHistory, lockConversation } from '../data';
import type { NewTurn } from '../schema';
import { addTurn } from './add-turn';

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
    const turn = await addTurn(db, scope, conversation, await listHistory(db, id), input, now);
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
