/** Tokens by who made them. They outlive a membership, and whoever made one may still know it. */
import type { TenantDb } from '@/lib/platform/db/tenant-db';

function live(createdBy: string, now: Date) {
  return {
    createdBy,
    revokedAt: null,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
}

/** How many valid tokens each of these people has made; without any there is no entry. */
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
