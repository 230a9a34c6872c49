import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Another attempt of the same turn. */
interface NextTurnAttempt {
  id: string;
  projectId: string;
  sessionId: string;
  number: number;
  purpose: 'ask' | 'continue';
  poolId: string;
  requiredRunnerId: string | null;
  waitUntil: Date;
  onlyMode: 'transcript' | null;
  notBefore: Date | null;
}

export async function insertTurnAttempt(
  db: TenantDb,
  organizationId: OrganizationId,
  row: NextTurnAttempt,
  now: Date,
): Promise<void> {
  await db.attempt.create({ data: { organizationId, queuedAt: now, ...row } });
}

export async function writeAnswer(db: TenantDb, turnId: string, answer: string): Promise<void> {
  await db.turn.updateMany({ where: { id: turnId }, data: { answer } });
}

/**
 * Cancels the questions that were open when the process ended. An answer can no longer reach it.
 */
export async function cancelQuestions(db: TenantDb, attemptId: string, now: Date): Promise<void> {
  await db.question.updateMany({
    where: { attemptId, closedAt: null },
    data: { status: 'cancelled', closedAt: now },
  });
}
