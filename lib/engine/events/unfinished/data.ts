import { Prisma } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { appendSessionEvents } from '../data';
import { type KeptUnfinished, keptUnfinishedSchema, shownUnfinished } from './schema';

export function readUnfinished(stored: unknown): KeptUnfinished | null {
  return stored === null ? null : keptUnfinishedSchema.parse(stored);
}

/** Returns the value for the attempt's column. */
export function writtenUnfinished(answer: KeptUnfinished | null) {
  return answer === null ? Prisma.DbNull : toJson(answer);
}

/** Stores what a process left unfinished when it ended, as one event of the session's stream. */
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
