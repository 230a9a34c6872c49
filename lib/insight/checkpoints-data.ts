import type { TenantDb } from '@/lib/platform/db/tenant-db';

const RELATED = {
  session: {
    select: {
      id: true,
      number: true,
      tier: true,
      project: { select: { id: true, slug: true, name: true } },
    },
  },
  attempt: { select: { number: true } },
} as const;

/** Returns checkpoints of a project, or of all, newest first. */
export function listCheckpointRows(
  db: TenantDb,
  projectId: string | null,
  page: { limit: number; beforeSeq: bigint | null },
) {
  return db.checkpoint.findMany({
    where: {
      ...(projectId ? { projectId } : {}),
      ...(page.beforeSeq === null ? {} : { seq: { lt: page.beforeSeq } }),
    },
    orderBy: { seq: 'desc' },
    take: page.limit + 1,
    include: RELATED,
  });
}
export type CheckpointRow = Awaited<ReturnType<typeof listCheckpointRows>>[number];

/** Returns all checkpoints of a session, newest first. */
export function listCheckpointsOfSession(
  db: TenantDb,
  sessionId: string,
): Promise<CheckpointRow[]> {
  return db.checkpoint.findMany({
    where: { sessionId },
    orderBy: { seq: 'desc' },
    include: RELATED,
  });
}

/** Returns a checkpoint's sequence number; null once it is deleted. */
export async function findSeq(db: TenantDb, id: string): Promise<bigint | null> {
  const row = await db.checkpoint.findFirst({ where: { id }, select: { seq: true } });
  return row?.seq ?? null;
}
