import type { AttemptRow } from '@/lib/engine/attempt/data';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { getTurnOfSession } from './data';
import { eraseSessions, eraseTurnRows, lockAttempts } from './erase-data';

/**
 * Erases the messages, answers, questions and logs of a conversation that the caller has locked.
 * The costs of its turns stay.
 *
 * @param conversationId UUID
 * @returns how many turns it had
 * @throws ConflictError while one of them runs
 */
export async function eraseTurns(
  db: TenantDb,
  { actor }: TenantScope,
  conversationId: string,
  now: Date,
): Promise<number> {
  await lockAttempts(db, conversationId);
  const turns = await db.turn.findMany({
    where: { conversationId },
    select: { id: true, cutAt: true, sessionId: true, session: { select: { endedAt: true } } },
  });
  const live = turns.find(({ session }) => session.endedAt === null);
  if (live) {
    throw new ConflictError(
      live.cutAt
        ? 'A removed turn is still being stopped. Wait until it has ended.'
        : 'The agent is still answering. Stop it, or wait until it has ended.',
      { turnId: encodeId('trn', live.id) },
    );
  }
  await eraseTurnRows(db, conversationId, { at: now, label: actor.label });
  const sessionIds = turns.map(({ sessionId }) => sessionId);
  await eraseSessions(db, sessionIds);
  return turns.length;
}

/** Erases what a process sends after its conversation was deleted. The attempt is locked. */
export async function eraseLate(
  db: TenantDb,
  { sessionId }: Pick<AttemptRow, 'sessionId'>,
): Promise<void> {
  const turn = await getTurnOfSession(db, sessionId);
  if (turn?.conversation.deletedAt) await eraseSessions(db, [sessionId]);
}
