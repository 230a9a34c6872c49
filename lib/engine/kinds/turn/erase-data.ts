import { sql } from 'kysely';
import { sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { ResultEvent } from '@/lib/protocol/events';

/** Replaces texts that may not be empty. */
const ERASED = 'Deleted with its conversation.';

const WORDLESS_RESULT = JSON.stringify({
  text: null,
  errors: [],
  structuredOutput: null,
  permissionDenials: [],
} satisfies Partial<ResultEvent>);

/**
 * Locks the attempts of these turns against other writers: late events, and settlements of late
 * results.
 */
export async function lockAttempts(db: TenantDb, conversationId: string): Promise<void> {
  await sqlChanges(db)`select 1 from attempt a
      join turn t on t.organization_id = a.organization_id and t.session_id = a.session_id
      where a.organization_id = ${db.organizationId}::uuid
        and t.conversation_id = ${conversationId}::uuid
      order by a.id for update of a`;
}

/**
 * Erases the messages, answers and questions of a conversation's turns. The turns stay as cut ones.
 */
export async function eraseTurnRows(
  db: TenantDb,
  conversationId: string,
  by: { at: Date; label: string },
): Promise<void> {
  await db.question.deleteMany({ where: { turn: { conversationId } } });
  await db.turn.updateMany({ where: { conversationId }, data: { message: '', answer: null } });
  await db.turn.updateMany({
    where: { conversationId, cutAt: null },
    data: { cutAt: by.at, cutBy: by.label },
  });
}

/**
 * Erases what the processes of these sessions read, wrote and did. Their times, ends and costs
 * stay, with the events that prove them, because a late result is booked from those. The ids of
 * their conversations stay too, because a runner uses them to ask which copies it can delete.
 */
export async function eraseSessions(db: TenantDb, sessionIds: readonly string[]): Promise<void> {
  const ids = sql`${[...sessionIds]}::uuid[]`;
  const own = sql`organization_id = ${db.organizationId}::uuid and session_id = any(${ids})`;
  await sqlChanges(db)`delete from session_event
      where ${own} and kind not in ('init', 'request_usage', 'result')`;
  await sqlChanges(db)`update session_event set payload = payload || ${WORDLESS_RESULT}::jsonb
      where ${own} and kind = 'result'`;
  await sqlChanges(db)`delete from session_checkpoints where ${own}`;
  await sqlChanges(db)`delete from seal where ${own}`;
  await sqlChanges(db)`update cooldown_action set command = '' where ${own}`;
  await sqlChanges(db)`update decision set sentence = ${ERASED} where ${own}`;
  await sqlChanges(db)`update attempt set end_text = '', command = null, unfinished_answer = null,
        result = result || '{"stderrTail": "", "startError": null}',
        start = start || jsonb_build_object(
          'prompt', ${ERASED}::text, 'systemPrompt', '', 'recovery', null)
      where ${own}`;
  await sqlChanges(db)`update session set report = null, status_text = ${ERASED}
      where organization_id = ${db.organizationId}::uuid and id = any(${ids})`;
}
