import type { Prisma } from '@/generated/prisma/client';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';

const SHOWN = {
  project: { select: { id: true, slug: true, name: true } },
  chain: { select: { id: true, number: true } },
  session: { select: { id: true, number: true, tier: true } },
  votes: { orderBy: { votedAt: 'asc' } },
} as const satisfies Prisma.ApprovalInclude;

export type ShownRow = Prisma.ApprovalGetPayload<{ include: typeof SHOWN }>;

/** Ids are UUIDs. What is undefined or null filters nothing. */
interface RowFilter {
  id?: string | undefined;
  status?: string | undefined;
  projectId?: string | undefined;
  chainId?: string | undefined;
  sessionId?: string | undefined;
}

/** Returns up to `take` rows, newest first. */
export function listRows(
  db: TenantDb,
  { id, ...filter }: RowFilter,
  { take, beforeId }: { take: number; beforeId?: string | null },
): Promise<ShownRow[]> {
  const where = { ...filter, ...(id ? { id } : beforeId ? { id: { lt: beforeId } } : {}) };
  return db.approval.findMany({ where, orderBy: { id: 'desc' }, take, include: SHOWN });
}

/** Returns up to `take` rows that wait for a decision, the soonest to expire first. */
export function listPendingRows(
  db: TenantDb,
  filter: Pick<RowFilter, 'chainId' | 'sessionId'>,
  take: number,
): Promise<ShownRow[]> {
  return db.approval.findMany({
    where: { ...filter, status: 'pending' },
    orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
    take,
    include: SHOWN,
  });
}

/** Returns rows that no longer wait, newest first, and one more than a page has. */
export async function browseDecidedRows(
  db: TenantDb,
  { status, projectId }: Pick<RowFilter, 'status' | 'projectId'>,
  place: Place,
): Promise<ShownRow[]> {
  const { id, ...page } = pageArgs(place);
  const rows = await db.approval.findMany({
    where: { status: status ?? { not: 'pending' }, projectId, id },
    ...page,
    include: SHOWN,
  });
  return place.afterId ? rows.reverse() : rows;
}

export function countPendingRows(db: TenantDb): Promise<number> {
  return db.approval.count({ where: { status: 'pending' } });
}

/** Returns whether there is any row that no longer waits. */
export async function hasDecidedRow(db: TenantDb): Promise<boolean> {
  const decided = { status: { not: 'pending' } };
  return (await db.approval.findFirst({ where: decided, select: { id: true } })) !== null;
}

/** Returns the names of runners by their ids. */
export async function namesOfRunners(
  db: TenantDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const runners = await db.runner.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true },
  });
  return new Map(runners.map(({ id, name }) => [id, name]));
}
