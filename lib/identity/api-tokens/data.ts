import type { ApiToken, Prisma } from '@/generated/prisma/client';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';

export function insertApiToken(
  db: TenantDb,
  row: Omit<Prisma.ApiTokenUncheckedCreateInput, 'organizationId'>,
): Promise<ApiToken> {
  return db.apiToken.create({ data: { ...row, organizationId: db.organizationId } });
}

/** Returns tokens newest first; ids are ordered by time. */
export function listApiTokenRows(db: TenantDb, place: Place): Promise<ApiToken[]> {
  const { id, ...page } = pageArgs(place);
  return db.apiToken.findMany({ where: { id }, ...page });
}

export function findApiToken(db: TenantDb, id: string): Promise<ApiToken | null> {
  return db.apiToken.findFirst({ where: { id } });
}

/** Marks a token as revoked. Returns false if it already was. */
export async function markApiTokenRevoked(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.apiToken.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  });
  return count === 1;
}

export async function markApiTokenUsed(
  db: TenantDb,
  id: string,
  now: Date,
  notAfter: Date,
): Promise<void> {
  await db.apiToken.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: notAfter } }] },
    data: { lastUsedAt: now },
  });
}

function live(createdBy: string, now: Date) {
  return {
    createdBy,
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
}

/** Returns the number of valid tokens by creator, without entries for zero. */
export async function countTokensOfMakers(
  db: TenantDb,
  makers: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await db.apiToken.groupBy({
    by: ['createdBy'],
    where: { ...live('', now), createdBy: { in: [...makers] } },
    _count: true,
  });
  return new Map(rows.map(({ createdBy, _count }) => [createdBy, _count]));
}

/** Answers how many were valid until now. */
export async function revokeTokensOfMaker(
  db: TenantDb,
  createdBy: string,
  now: Date,
): Promise<number> {
  const { count } = await db.apiToken.updateMany({
    where: live(createdBy, now),
    data: { revokedAt: now },
  });
  return count;
}

/** Takes from an owner's tokens what an admin's could not do. */
export async function lowerTokensOfMaker(db: TenantDb, createdBy: string): Promise<void> {
  await db.apiToken.updateMany({
    where: { createdBy, role: 'owner' },
    data: { role: 'admin' },
  });
}
