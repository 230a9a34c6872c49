import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

const RELATED = { project: { select: { id: true, slug: true, name: true } } } as const;

export interface ChainFilter {
  projectId?: string | undefined;
  status?: string | undefined;
  outcome?: string | undefined;
}

/** Newest first. */
export function listChainRows(
  db: TenantDb,
  { projectId, status, outcome }: ChainFilter,
  page: { limit: number; beforeId: string | null },
) {
  return db.chain.findMany({
    where: {
      ...(projectId ? { projectId } : {}),
      ...(status ? { status } : {}),
      ...(outcome ? { outcome } : {}),
      ...(page.beforeId ? { id: { lt: page.beforeId } } : {}),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
    include: RELATED,
  });
}
export type ChainRow = Awaited<ReturnType<typeof listChainRows>>[number];

/** By UUID, or by project and number. Throws NotFoundError. */
export async function getChainWithProject(
  db: TenantDb,
  where: { id: string } | { projectId: string; number: number },
): Promise<ChainRow> {
  const row = await db.chain.findFirst({ where, include: RELATED });
  if (!row) throw new NotFoundError();
  return row;
}

export function listHealthRows(db: TenantDb, chainId: string) {
  return db.serviceHealth.findMany({
    where: { chainId },
    include: { service: { select: { name: true, position: true } } },
  });
}
export type HealthRow = Awaited<ReturnType<typeof listHealthRows>>[number];
