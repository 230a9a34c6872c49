import { Prisma } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/json';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { appendSessionEvents } from '../data';
import {
  type KeptUnfinished,
  keptUnfinishedSchema,
  type UnfinishedAnswer,
  unfinishedAnswerSchema,
} from './schema';

export function readUnfinished(stored: unknown): KeptUnfinished | null {
  return stored === null ? null : keptUnfinishedSchema.parse(stored);
}

/** Returns the unfinished answer; null where there is none, or where its text must not be shown. */
function shownUnfinished(stored: unknown): UnfinishedAnswer | null {
  const answer = unfinishedAnswerSchema.nullable().parse(stored);
  return answer?.text ? answer : null;
}

/** For the column of the attempt. */
export function writtenUnfinished(answer: KeptUnfinished | null) {
  return answer === null ? Prisma.DbNull : toJson(answer);
}

/** What the agent of this session is writing now. */
export async function findUnfinishedAnswer(
  db: TenantDb,
  sessionId: string,
): Promise<UnfinishedAnswer | null> {
  const row = await db.attempt.findFirst({
    where: { sessionId, unfinishedAnswer: { not: Prisma.AnyNull } },
    orderBy: { number: 'desc' },
    select: { unfinishedAnswer: true },
  });
  return row ? shownUnfinished(row.unfinishedAnswer) : null;
}

/** Of a process that has ended: what it left unfinished becomes one event of the session's stream. */
export async function keepUnfinishedAnswer(
  db: TenantDb,
  organizationId: OrganizationId,
  attempt: { id: string; sessionId: string; unfinishedAnswer: unknown },
  now: Date,
): Promise<void> {
  if (attempt.unfinishedAnswer === null) return;
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: { unfinishedAnswer: Prisma.DbNull },
  });
  const answer = shownUnfinished(attempt.unfinishedAnswer);
  if (answer === null) return;
  const payload = { kind: 'answer_part', ...answer };
  await appendSessionEvents(db, organizationId, attempt.sessionId, [
    { attemptId: attempt.id, attemptSeq: null, kind: 'answer_part', at: now, payload },
  ]);
}

/**
 * What the agent said last in a session that ended without an answer, where nothing was called
 * after it: pieces that were kept, or a text, since the CLI says what it has when it is stopped.
 */
export async function findLastWords(
  db: TenantDb,
  organizationId: OrganizationId,
  sessionId: string,
): Promise<string | null> {
  const [last] = await queryRaw<{ text: string | null }>(
    db,
    Prisma.sql`select payload->>'text' as text from session_event
      where organization_id = ${organizationId}::uuid and session_id = ${sessionId}::uuid
        and (kind in ('answer_part', 'tool_call') or (kind = 'text' and payload->>'parentToolUseId' is null))
      order by seq desc limit 1`,
  );
  return last?.text?.trim() ? last.text : null;
}
