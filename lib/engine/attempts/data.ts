import { type Attempt, Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { fromColumns } from '@/lib/platform/db/stored-row';
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

/** Queue names are ids, so that nobody can guess or choose another one's. */
export function poolQueue(poolId: string): string {
  return `pool-${poolId}`;
}

export function runnerQueue(runnerId: string): string {
  return `runner-${runnerId}`;
}

/** Where an attempt's doorbell hangs. */
export function queueOf(attempt: { poolId: string; requiredRunnerId: string | null }): string {
  return attempt.requiredRunnerId
    ? runnerQueue(attempt.requiredRunnerId)
    : poolQueue(attempt.poolId);
}
