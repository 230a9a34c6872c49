import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/db/raw';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';

/** Reads an attempt and keeps every other writer of it out until the transaction ends. */
export async function lockAttempt(db: TenantDb, organizationId: OrganizationId, attemptId: string) {
  const locked = await queryRaw<{ id: string }>(
    db,
    Prisma.sql`select id from attempt where organization_id = ${organizationId}::uuid and id = ${attemptId}::uuid for update`,
  );
  if (locked.length === 0) return null;
  return db.attempt.findFirst({ where: { id: attemptId } });
}

export type AttemptRow = NonNullable<Awaited<ReturnType<typeof lockAttempt>>>;

export interface NewAttempt {
  projectId: string;
  sessionId: string;
  number: number;
  purpose: 'tier' | 'reconcile';
  poolId: string;
  requiredRunnerId: string | null;
  waitUntil: Date | null;
  onlyMode: 'handoff' | null;
  notBefore: Date | null;
}

export async function insertAttempt(
  db: TenantDb,
  organizationId: OrganizationId,
  attempt: NewAttempt,
  now: Date,
): Promise<string> {
  const row = await db.attempt.create({
    data: { organizationId, ...attempt, queuedAt: now },
    select: { id: true },
  });
  return row.id;
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
