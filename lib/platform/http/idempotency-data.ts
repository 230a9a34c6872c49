import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '../db/global-db';
import type { TenantScope } from '../db/scope';
import type { TenantDb } from '../db/tenant-db';
import type { IdempotentRequest } from './idempotency';

/** Returns false if the key already exists. */
export async function insertReservation(
  db: TenantDb,
  scope: TenantScope,
  request: IdempotentRequest,
  now: Date,
): Promise<boolean> {
  const { count } = await db.idempotencyKey.createMany({
    data: [{ ...request, organizationId: scope.organizationId, createdAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

export function findReservation(db: TenantDb, request: IdempotentRequest) {
  return db.idempotencyKey.findFirst({ where: identity(request) });
}

/** Returns false if another request took it over at the same time. */
export async function takeOver(
  db: TenantDb,
  request: IdempotentRequest,
  before: Date,
  now: Date,
): Promise<boolean> {
  const { count } = await db.idempotencyKey.updateMany({
    where: { ...identity(request), createdAt: before },
    data: { bodyHash: request.bodyHash, status: null, response: Prisma.DbNull, createdAt: now },
  });
  return count === 1;
}

export async function storeAnswer(
  db: TenantDb,
  request: IdempotentRequest,
  status: number,
  sealedBody: string,
): Promise<void> {
  await db.idempotencyKey.updateMany({
    where: identity(request),
    data: { status, response: sealedBody },
  });
}

export async function deleteReservation(db: TenantDb, request: IdempotentRequest): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: identity(request) });
}

/** Deletes the answers to all requests below a path, by any sender. */
export async function deleteAnswersBelow(db: TenantDb, path: string): Promise<void> {
  await db.idempotencyKey.deleteMany({ where: { route: { startsWith: `POST ${path}/` } } });
}

function identity({ tokenId, route, key }: IdempotentRequest) {
  return { tokenId, route, key };
}

/** Across all organizations. */
export async function deleteIdempotencyKeys(createdBefore: Date): Promise<void> {
  const where = { createdAt: { lt: createdBefore } };
  await systemDb('retention of idempotency keys').idempotencyKey.deleteMany({ where });
}
