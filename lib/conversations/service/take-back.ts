import { endTurn } from '@/lib/engine/kinds/turn/end-turn';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { type ConversationRow, cutTurns, type HistoryRow, listHistory, raiseEpochs } from '../data';
import { agentsAffected } from '../history';

export interface TakenBack {
  turn: HistoryRow;
  /** What is left before it. */
  history: readonly HistoryRow[];
}

/**
 * Takes a turn and everything after it out of the history of a locked conversation, ends what
 * still runs of it, and raises the epoch of every agent that sees another history now.
 *
 * @throws ConflictError where it was taken out before
 */
export async function takeBack(
  db: TenantDb,
  scope: TenantScope,
  conversation: ConversationRow,
  turnId: string,
  now: Date,
): Promise<TakenBack> {
  const before = await listHistory(db, conversation.id);
  const index = before.findIndex(({ id }) => id === turnId);
  const turn = before[index];
  if (!turn) {
    const cut = await db.turn.findFirst({ where: { id: turnId, conversationId: conversation.id } });
    if (!cut) throw new NotFoundError();
    throw new ConflictError(
      `This message was taken out of the history by ${cut.cutBy ?? 'someone'}. Reload to see what is there now.`,
    );
  }
  const gone = before.slice(index);
  for (const { sessionId } of gone) await endTurn(db, scope, sessionId, now);
  const ids = gone.map(({ id }) => id);
  await cutTurns(db, ids, { at: now, label: scope.actor.label });
  const history = before.slice(0, index);
  const agents = agentsAffected(before, history);
  await raiseEpochs(db, scope.organizationId, conversation.id, agents);
  return { turn, history };
}
