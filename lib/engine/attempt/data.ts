import { type Attempt, Prisma } from '@/generated/prisma/client';
import { fromColumns, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

export type AttemptRow = Attempt;

/** Reads an attempt and keeps every other writer of it out until the transaction ends. */
export async function lockAttempt(
  db: TenantDb,
  organizationId: OrganizationId,
  attemptId: string,
): Promise<AttemptRow | null> {
  const [row] = await queryRaw<Record<string, unknown>>(
    db,
    Prisma.sql`select a.*, a.end_kind as end from attempt a
      where a.organization_id = ${organizationId}::uuid and a.id = ${attemptId}::uuid for update`,
  );
  return row ? fromColumns<AttemptRow>(row) : null;
}

/** Attempts that a runner has in hand, with what it may have to be told. */
export async function listRunningAttempts(db: TenantDb, runnerId: string) {
  return db.attempt.findMany({
    where: { runnerId, status: { in: ['claimed', 'running', 'stopping'] } },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      status: true,
      fence: true,
      stopRequestedAt: true,
      stopCause: true,
      checkpointRequestedAt: true,
      // Answered by a person, and not with the process yet.
      questions: {
        where: { status: 'answered', closedAt: null },
        orderBy: { id: 'asc' },
        select: { requestId: true, answers: true },
      },
    },
  });
}
