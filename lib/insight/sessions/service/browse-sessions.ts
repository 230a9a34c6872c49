import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { LIST_COUNT_LIMIT } from '@/lib/platform/format/count';
import { twoWayPage } from '@/lib/platform/http/two-way-page';
import { encodeId } from '@/lib/platform/ids';
import { requireId } from '@/lib/platform/ids/require-id';
import { requireProject } from '@/lib/projects/service/resolve-project';
import {
  countMatches,
  listMatchingChains,
  listMatchingIds,
  listRunnerNames,
  type SessionMatch,
  sumMatches,
} from '../browse/data';
import type { SessionPage, SessionQuery } from '../browse/schema';
import { costsOfSessions, listSessionsOfChains } from '../data';
import { toSessionItem } from '../to-dto';

/** A page of sessions by chain, newest first, with sums over all matches. */
export function browseSessions(scope: TenantScope, query: SessionQuery): Promise<SessionPage> {
  const beforeId = query.before ? requireId('chn', query.before) : null;
  const afterId = query.after ? requireId('chn', query.after) : null;
  const runnerId = query.runner ? requireId('rnr', query.runner) : null;
  const { status, tier, end, since, until, limit } = query;
  return inTransaction(scope, async (db) => {
    const projectId = query.project ? (await requireProject(db, query.project)).id : null;
    const match = { projectId, status, tier, runnerId, end, since, until };
    const found = await listMatchingChains(db, match, { beforeId, afterId, limit });
    const { rows: chainIds, hasNewer, hasOlder } = twoWayPage(found, query);
    const sessions = await listSessionsOfChains(db, chainIds);
    const matches = await listMatchingIds(db, match, chainIds);
    const costs = await costsOfSessions(
      db,
      sessions.map((session) => session.id),
    );
    const [first, last] = [chainIds[0], chainIds.at(-1)];
    return {
      groups: chainIds.flatMap((chainId) => {
        const own = sessions.filter((session) => session.chainId === chainId);
        const [root] = own;
        // Deleted since.
        if (!root) return [];
        const spent = own.flatMap((session) => costs.get(session.id) ?? []);
        return {
          chainId: encodeId('chn', chainId),
          chainNumber: root.chain.number,
          chainCostMicros: Number(spent.reduce((sum, cost) => sum + cost.micros, 0n)),
          isCostEstimated: spent.some((cost) => cost.isEstimated),
          sessionCount: own.length,
          sessions: own
            .filter((session) => matches.has(session.id))
            .reverse()
            .map((session) => toSessionItem(session, costs.get(session.id))),
        };
      }),
      newerThan: first && hasNewer ? encodeId('chn', first) : null,
      olderThan: last && hasOlder ? encodeId('chn', last) : null,
      total: await totalOf(db, match),
      runners: (await listRunnerNames(db)).map((row) => ({
        id: encodeId('rnr', row.id),
        name: row.name,
      })),
    };
  });
}

async function totalOf(db: TenantDb, match: SessionMatch): Promise<SessionPage['total']> {
  const count = await countMatches(db, match);
  const costMicros = count > LIST_COUNT_LIMIT ? null : Number(await sumMatches(db, match));
  return { count, costMicros };
}
