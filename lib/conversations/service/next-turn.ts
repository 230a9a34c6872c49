import { type AddedTurn, addTurn, type NewTurn } from '@/lib/engine/kinds/turn/add-turn';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type ConversationRow, getEpoch, type HistoryRow, touchConversation } from '../data';

/**
 * Queues the next turn of a conversation that the caller has locked.
 *
 * @param history the turns that are not cut, oldest first
 * @throws ConflictError while a turn of it runs
 * @throws PreconditionFailedError where nothing may start now
 */
export async function addNextTurn(
  db: TenantDb,
  scope: TenantScope,
  conversation: ConversationRow,
  history: readonly HistoryRow[],
  request: NewTurn,
  now: Date,
): Promise<AddedTurn> {
  const { id, projectId, chainId } = conversation;
  const epochOf = (agent: string) => getEpoch(db, id, agent);
  const place = { id, projectId, chainId, history, epochOf };
  const turn = await addTurn(db, scope, place, request, now);
  await touchConversation(db, id, now);
  return turn;
}
