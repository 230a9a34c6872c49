import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '../db/global-db';
import type { TenantDb } from '../db/tenant-db';
import type { IdempotentRequest, Reservation } from './idempotency';

/** Returns false if the key already exists. */
export async function insertReservation(
  db: TenantDb,
  request: IdempotentRequest,
  now: Date,
): Promise<boolean> {
  const { count } = await db.idempotencyKey.createMany({
    data: [{ ...request, organizationId: db.organizationId, createdAt: now }],
    skipDuplicates: true,
  });
  return count === 1;
}

export function findReservation(db: TenantDb, request: IdempotentRequest) {
  return db.idempotencyKey.findFirst({ where: identity(request) });
}

/** Returns false if it changed since it was read: taken over by another request, or carried out. */
export async function takeOver(
  db: TenantDb,
  request: IdempotentRequest,
  before: { createdAt: Date; target: string | null },
  now: Date,
): Promise<boolean> {
  const { bodyHash } = request;
  const { count } = await db.idempotencyKey.updateMany({
    where: { ...identity(request), createdAt: before.createdAt, target: before.target },
    data: { bodyHash, status: null, response: Prisma.DbNull, target: null, createdAt: now },
  });
  return count === 1;
}

/** The first target stays. Returns false if the reservation is no longer this one. */
export async function storeTarget(
  db: TenantDb,
  { request, reservedAt }: Reservation,
  target: string,
): Promise<boolean> {
  const where = { ...identity(request), createdAt: reservedAt };
  const { count } = await db.idempotencyKey.updateMany({
    where: { ...where, target: null },
    data: { target },
  });
  return count === 1 || (await db.idempotencyKey.count({ where })) === 1;
}

/** The first answer stays. */
export async function storeAnswer(
  db: TenantDb,
  { request, reservedAt }: Reservation,
  status: number,
  sealedBody: string,
): Promise<void> {
  await db.idempotencyKey.updateMany({
    where: { ...identity(request), createdAt: reservedAt, status: null },
    data: { status, response: sealedBody },
  });
}

/** Only where nothing was changed under it. */
export async function deleteReservation(
  db: TenantDb,
  { request, reservedAt }: Reservation,
): Promise<void> {
  await db.idempotencyKey.deleteMany({
    where: { ...identity(request), createdAt: reservedAt, target: null },
  });
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
