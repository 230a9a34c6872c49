import type { TenantDb } from '@/lib/platform/db/tenant-db';

interface FeedRowQuery {
  projectId: string | null;
  chainId?: string | undefined;
  level?: string | undefined;
  service?: string | undefined;
  /** In the message. */
  text?: string | undefined;
  beforeId: string | null;
  afterId: string | null;
  limit: number;
}

/**
 * Returns rows newest first, one more than requested. `afterId` returns the rows right above it.
 */
export async function listFeedRows(db: TenantDb, query: FeedRowQuery) {
  const { projectId, chainId, level, service, text, beforeId, afterId } = query;
  const isUpwards = afterId !== null;
  const rows = await db.projectEvent.findMany({
    where: {
      ...(projectId ? { projectId } : {}),
      ...(chainId ? { chainId } : {}),
      ...(level ? { level } : {}),
      ...(service ? { service } : {}),
      ...(text ? { message: { contains: text, mode: 'insensitive' as const } } : {}),
      ...(isUpwards ? { id: { gt: afterId } } : beforeId ? { id: { lt: beforeId } } : {}),
    },
    orderBy: { id: isUpwards ? 'asc' : 'desc' },
    take: query.limit + 1,
    include: {
      project: { select: { slug: true, name: true } },
      session: { select: { number: true, tier: true } },
    },
  });
  return isUpwards ? rows.reverse() : rows;
}
export type FeedRow = Awaited<ReturnType<typeof listFeedRows>>[number];

/** Names of what a project watches now; of all projects without one. */
export async function listServiceNames(db: TenantDb, projectId: string | null): Promise<string[]> {
  const rows = await db.service.findMany({
    where: { removedAt: null, ...(projectId ? { projectId } : {}) },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
    select: { name: true },
    take: 200,
  });
  return [...new Set(rows.map((row) => row.name))];
}
