import type { TenantDb } from '@/lib/db/tenant-db';
import { LIST_COUNT_LIMIT } from '@/lib/format/count';
import { idSince } from '@/lib/ids/id-since';

export interface SessionMatch {
  projectId: string | null;
  status: string | undefined;
  tier: number | undefined;
  runnerId: string | null;
  end: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
}

function matching({ projectId, status, tier, runnerId, end, since, until }: SessionMatch) {
  const isByAttempt = runnerId !== null || end !== undefined;
  return {
    kind: 'tier',
    ...(projectId ? { projectId } : {}),
    ...(status ? { status } : {}),
    ...(tier ? { tier } : {}),
    ...(since
      ? {
          createdAt: { gte: since, ...(until ? { lt: until } : {}) },
          id: { gte: idSince(since) },
        }
      : {}),
    ...(isByAttempt
      ? { attempts: { some: { ...(runnerId ? { runnerId } : {}), ...(end ? { end } : {}) } } }
      : {}),
  };
}

/** Chains with a session that matches, newest first, one more than asked for. */
export async function listMatchingChains(
  db: TenantDb,
  match: SessionMatch,
  page: { beforeId: string | null; afterId: string | null; limit: number },
) {
  const { beforeId, afterId } = page;
  const rows = await db.chain.findMany({
    where: {
      ...(match.projectId ? { projectId: match.projectId } : {}),
      ...(match.since ? { createdAt: { gte: match.since } } : {}),
      id: {
        ...(match.since ? { gte: idSince(match.since) } : {}),
        ...(afterId ? { gt: afterId } : beforeId ? { lt: beforeId } : {}),
      },
      sessions: { some: matching(match) },
    },
    orderBy: { id: afterId ? 'asc' : 'desc' },
    take: page.limit + 1,
    select: { id: true, number: true },
  });
  return afterId ? rows.reverse() : rows;
}

export async function listMatchingIds(
  db: TenantDb,
  match: SessionMatch,
  chainIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db.session.findMany({
    where: { ...matching(match), chainId: { in: [...chainIds] } },
    select: { id: true },
  });
  return new Set(rows.map((row) => row.id));
}

export function countMatches(db: TenantDb, match: SessionMatch): Promise<number> {
  return db.session.count({ where: matching(match), take: LIST_COUNT_LIMIT + 1 });
}

/** Micro-dollars, over the ledger. */
export async function sumMatches(db: TenantDb, match: SessionMatch): Promise<bigint> {
  const { _sum } = await db.ledgerEntry.aggregate({
    where: { session: matching(match) },
    _sum: { costMicros: true },
  });
  return _sum.costMicros ?? 0n;
}

export function listRunnerNames(db: TenantDb) {
  return db.runner.findMany({
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
    take: 200,
  });
}
