import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId } from '@/lib/platform/ids';
import { requireId } from '@/lib/platform/ids/require-id';
import { ringRunnerQueue } from '@/lib/platform/queue/enqueue';
import { type HistoryRow, lockConversation } from '../data';
import type { NewTurn } from '../schema';
import { addNextTurn } from './next-turn';
import { takeBack } from './take-back';

/**
 * Sends another message in the place of a turn; that turn and what followed it leave the history.
 *
 * @returns `trn_…` of the new one
 */
export function editTurn(
  scope: TenantScope,
  conversationId: string,
  turnId: string,
  input: NewTurn,
  now = new Date(),
): Promise<string> {
  return sendAgain(
    scope,
    { conversationId, turnId, action: 'conversation.edited' },
    () => input,
    now,
  );
}

/**
 * Asks the same again, in a conversation of its own: what the agent made of it the first time must
 * not lead it.
 *
 * @returns `trn_…` of the new one
 */
export function retryTurn(
  scope: TenantScope,
  conversationId: string,
  turnId: string,
  { agent }: { agent?: string | undefined },
  now = new Date(),
): Promise<string> {
  const wish = (turn: HistoryRow) => {
    return { message: turn.message, agent: agent ?? turn.agent, forceFresh: true };
  };
  return sendAgain(scope, { conversationId, turnId, action: 'conversation.retried' }, wish, now);
}

async function sendAgain(
  scope: TenantScope,
  {
    conversationId,
    turnId,
    action,
  }: {
    conversationId: string;
    turnId: string;
    action: 'conversation.edited' | 'conversation.retried';
  },
  wishOf: (turn: HistoryRow) => NewTurn,
  now: Date,
): Promise<string> {
  requireMay(scope, 'conversation.ask');
  const id = requireId('cnv', conversationId);
  const uuid = requireId('trn', turnId);
  const added = await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, scope.organizationId, id);
    const { turn, history } = await takeBack(db, scope, conversation, uuid, now);
    const added = await addNextTurn(db, scope, conversation, history, wishOf(turn), now);
    await recordAudit(db, scope, {
      action,
      target: conversationId,
      projectId: conversation.projectId,
      detail: { position: added.position, agent: added.agent },
    });
    return added;
  });
  await ringRunnerQueue(added.ring.queue, added.ring.attemptId);
  return encodeId('trn', added.turnId);
}
