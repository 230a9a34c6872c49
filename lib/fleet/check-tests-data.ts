import { Prisma } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { CheckTestOutcome } from '@/lib/protocol/schema';
import type { CheckSpec } from '@/lib/protocol/spec';

/** How long an answer is stored after its requester stopped waiting, in milliseconds. */
const KEPT_MS = 600_000;

export async function insertCheckTest(
  db: TenantDb,
  test: { id: string; runnerId: string; service: string; check: CheckSpec },
  now: Date,
): Promise<void> {
  await db.checkTest.deleteMany({
    where: { createdAt: { lt: new Date(now.getTime() - KEPT_MS) } },
  });
  await db.checkTest.create({
    data: { organizationId: db.organizationId, ...test, check: toJson(test.check), createdAt: now },
  });
}

/**
 * Stores an answer. Returns false if the test belongs to another runner, is answered already or was
 * deleted.
 */
export async function answerCheckTest(
  db: TenantDb,
  test: { id: string; runnerId: string },
  outcome: CheckTestOutcome,
): Promise<boolean> {
  const { count } = await db.checkTest.updateMany({
    where: { ...test, outcome: { equals: Prisma.DbNull } },
    data: { outcome: toJson(outcome) },
  });
  return count === 1;
}

/** Returns the outcome and deletes the test; null while there is no outcome. */
export async function takeOutcome(db: TenantDb, id: string): Promise<unknown> {
  const row = await db.checkTest.findFirst({ where: { id }, select: { outcome: true } });
  if (!row?.outcome) return null;
  await deleteCheckTest(db, id);
  return row.outcome;
}

export async function deleteCheckTest(db: TenantDb, id: string): Promise<void> {
  await db.checkTest.deleteMany({ where: { id } });
}

/** Returns the online runners of a pool, latest contact first. */
export function listPoolRunners(db: TenantDb, pool: string, seenAfter: Date) {
  return db.runner.findMany({
    where: { pool: { name: pool }, revokedAt: null, lastSeenAt: { gt: seenAfter } },
    orderBy: { lastSeenAt: 'desc' },
    select: { id: true, name: true, capabilities: true },
  });
}
