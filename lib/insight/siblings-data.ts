import type { TenantDb } from '@/lib/platform/db/tenant-db';

interface Place {
  projectId: string;
  number: number;
}

/** Numbers of the chains right before and after one; null at that end. */
export async function chainNeighbors(db: TenantDb, { projectId, number }: Place) {
  const before = await db.chain.findFirst({
    where: { projectId, number: { lt: number } },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  const after = await db.chain.findFirst({
    where: { projectId, number: { gt: number } },
    orderBy: { number: 'asc' },
    select: { number: true },
  });
  return { previous: before?.number ?? null, next: after?.number ?? null };
}

/** The same of the tiers' sessions; numbers that turns of conversations took are left out. */
export async function sessionNeighbors(db: TenantDb, { projectId, number }: Place) {
  const before = await db.session.findFirst({
    where: { projectId, kind: 'tier', number: { lt: number } },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  const after = await db.session.findFirst({
    where: { projectId, kind: 'tier', number: { gt: number } },
    orderBy: { number: 'asc' },
    select: { number: true },
  });
  return { previous: before?.number ?? null, next: after?.number ?? null };
}
