import { Prisma } from '@/generated/prisma/client';
import { toJson } from '@/lib/db/json';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';
import { appendSessionEvents } from '../data';
import { type UnfinishedAnswer, unfinishedAnswerSchema } from './schema';

export function readUnfinished(stored: unknown): UnfinishedAnswer | null {
  return stored === null ? null : unfinishedAnswerSchema.parse(stored);
}

/** For the column of the attempt. */
export function writtenUnfinished(answer: UnfinishedAnswer | null) {
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
  return row ? readUnfinished(row.unfinishedAnswer) : null;
}

/** Of a process that has ended: what it left unfinished becomes one event of the session's stream. */
export async function keepUnfinishedAnswer(
  db: TenantDb,
  organizationId: OrganizationId,
  attempt: { id: string; sessionId: string; unfinishedAnswer: unknown },
  now: Date,
): Promise<void> {
  const answer = readUnfinished(attempt.unfinishedAnswer);
  if (answer === null) return;
  await db.attempt.updateMany({
    where: { id: attempt.id },
    data: { unfinishedAnswer: Prisma.DbNull },
  });
  const payload = { kind: 'answer_part', ...answer };
  await appendSessionEvents(db, organizationId, attempt.sessionId, [
    { attemptId: attempt.id, attemptSeq: null, kind: 'answer_part', at: now, payload },
  ]);
}

/** What processes of a session that has ended have left unfinished; the last of it. */
export async function findKeptUnfinished(
  db: TenantDb,
  sessionId: string,
): Promise<UnfinishedAnswer | null> {
  const row = await db.sessionEvent.findFirst({
    where: { sessionId, kind: 'answer_part' },
    orderBy: { seq: 'desc' },
    select: { payload: true },
  });
  return row ? unfinishedAnswerSchema.parse(row.payload) : null;
}
