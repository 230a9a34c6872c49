import { Prisma } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { appendSessionEvents } from '../data';
import { type KeptUnfinished, keptUnfinishedSchema, shownUnfinished } from './schema';

export function readUnfinished(stored: unknown): KeptUnfinished | null {
  return stored === null ? null : keptUnfinishedSchema.parse(stored);
}

/** For the column of the attempt. */
export function writtenUnfinished(answer: KeptUnfinished | null) {
  return answer === null ? Prisma.DbNull : toJson(answer);
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
