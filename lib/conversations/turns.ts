import { type AddedTurn, addTurn, type TurnRequest } from '@/lib/engine/kinds/turn/add-turn';
import { cutTurns, endTurn } from '@/lib/engine/kinds/turn/end-turn';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { recordTarget } from '@/lib/platform/http/idempotency';
import { encodeId, requireId } from '@/lib/platform/ids';
import { enqueueAttempt } from '@/lib/platform/queue/enqueue';
import {
  type ConversationRow,
  getEpoch,
  type HistoryRow,
  listHistory,
  lockConversation,
  NOT_DELETED,
  raiseEpochs,
  touchConversation,
} from './data';
import type { NewTurn } from './schema';

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
 * Asks the same again, in a conversation of its own: the agent's first answer must not influence
 * it.
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
  const newTurn = (turn: HistoryRow) => {
    return { message: turn.message, agent: agent ?? turn.agent, forceFresh: true };
  };
  return sendAgain(scope, { conversationId, turnId, action: 'conversation.retried' }, newTurn, now);
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
  newTurnOf: (turn: HistoryRow) => NewTurn,
  now: Date,
): Promise<string> {
  requireMay(scope, 'conversation.ask');
  const id = requireId('cnv', conversationId);
  const uuid = requireId('trn', turnId);
  const added = await inTransaction(scope, async (db) => {
    const conversation = await lockConversation(db, id);
    const { turn, history } = await takeBack(db, scope, conversation, uuid, now);
    const added = await addNextTurn(db, scope, conversation, history, newTurnOf(turn), now);
    await recordTarget(db, encodeId('trn', added.turnId));
    await recordAudit(db, scope, {
      action,
      target: conversationId,
      projectId: conversation.projectId,
      detail: { position: added.position, agent: added.agent },
    });
    return added;
  });
  await enqueueAttempt(added.job.queue, added.job.attemptId);
  return encodeId('trn', added.turnId);
}

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
    const conversation = await lockConversation(db, id);
    const { turn } = await takeBack(db, scope, conversation, uuid, now);
    await recordAudit(db, scope, {
      action: 'conversation.cut',
      target: conversationId,
      projectId: conversation.projectId,
      detail: { position: turn.position },
    });
  });
}

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
    const conversation = await lockConversation(db, id);
    const turn = await addNextTurn(db, scope, conversation, await listHistory(db, id), input, now);
    await recordTarget(db, encodeId('trn', turn.turnId));
    await recordAudit(db, scope, {
      action: 'conversation.asked',
      target: conversationId,
      projectId: conversation.projectId,
      detail: { position: turn.position, agent: turn.agent, forceFresh: input.forceFresh },
    });
    return turn;
  });
  await enqueueAttempt(turn.job.queue, turn.job.attemptId);
  return encodeId('trn', turn.turnId);
}

interface TakenBack {
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
async function takeBack(
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
      `This message was removed from the history by ${cut.cutBy ?? 'someone'}. Reload to see the current state.`,
    );
  }
  const gone = before.slice(index);
  for (const { sessionId } of gone) await endTurn(db, scope, sessionId, now);
  const ids = gone.map(({ id }) => id);
  await cutTurns(db, ids, { at: now, label: scope.actor.label });
  const history = before.slice(0, index);
  const agents = agentsAffected(before, history);
  await raiseEpochs(db, conversation.id, agents);
  return { turn, history };
}

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
  request: TurnRequest,
  now: Date,
): Promise<AddedTurn> {
  const { id, projectId, chainId } = conversation;
  const epochOf = (agent: string) => getEpoch(db, id, agent);
  const place = { id, projectId, chainId, history, epochOf };
  const turn = await addTurn(db, scope, place, request, now);
  await touchConversation(db, id, now);
  return turn;
}

/** What each agent has seen of a conversation, and whose view an edit changes. */

/** A turn that is in the history: not cut. */
export interface HistoryTurn {
  id: string;
  agent: string;
}

/** Returns the turns in an agent's own conversation: those after the last turn of another agent. */
export function visibleSlice<Turn extends HistoryTurn>(
  history: readonly Turn[],
  agent: string,
): readonly Turn[] {
  const lastOther = history.findLastIndex((turn) => turn.agent !== agent);
  return history.slice(lastOther + 1);
}

/**
 * Returns the agents whose view differs before and after an edit, a retry or a cut; in the order in
 * which they first spoke. A turn at the boundary of a slice belongs to another agent than the slice
 * does.
 */
export function agentsAffected(
  before: readonly HistoryTurn[],
  after: readonly HistoryTurn[],
): string[] {
  const agents = [...new Set([...before, ...after].map((turn) => turn.agent))];
  return agents.filter((agent) => !isSame(visibleSlice(before, agent), visibleSlice(after, agent)));
}

function isSame(left: readonly HistoryTurn[], right: readonly HistoryTurn[]): boolean {
  return left.length === right.length && left.every(({ id }, index) => id === right[index]?.id);
}
