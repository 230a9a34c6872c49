import type { Question } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/raw';
import { byId, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { QuestionClosedEvent, QuestionEvent } from '@/lib/protocol/events';

interface Asking {
  organizationId: string;
  projectId: string;
  attemptId: string;
}

/** Stores the question of an event. A repeat of the event changes nothing. */
export async function storeQuestion(
  db: TenantDb,
  { organizationId, projectId, attemptId }: Asking,
  turnId: string,
  event: QuestionEvent,
  askedAt: Date,
): Promise<void> {
  await db.question.createMany({
    data: {
      organizationId,
      projectId,
      turnId,
      attemptId,
      requestId: event.requestId,
      questions: toJson(event.questions),
      askedAt,
    },
    skipDuplicates: true,
  });
}

export async function closeQuestion(
  db: TenantDb,
  attemptId: string,
  { requestId, outcome }: QuestionClosedEvent,
  closedAt: Date,
): Promise<void> {
  await db.question.updateMany({
    where: { attemptId, requestId, closedAt: null },
    data: { status: outcome, closedAt },
  });
}

/** Reads a question and locks it. */
export async function lockQuestion(
  db: TenantDb,
  where: { id: string; turnId: string },
): Promise<Question | null> {
  const question = byId('question', db.organizationId, where.id).selectAll();
  const [row] = await rowsOf(db, question.where('turnId', '=', where.turnId).forUpdate());
  return row ?? null;
}

export async function writeAnswers(
  db: TenantDb,
  id: string,
  answers: Record<string, string>,
  by: { label: string; at: Date },
): Promise<void> {
  await db.question.updateMany({
    where: { id },
    data: { status: 'answered', answers, answeredBy: by.label, answeredAt: by.at },
  });
}
