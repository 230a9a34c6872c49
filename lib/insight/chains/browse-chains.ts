import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { twoWayPage } from '@/lib/platform/http/two-way-page';
import { encodeId } from '@/lib/platform/ids';
import { requireId } from '@/lib/platform/ids/require-id';
import { requireProject } from '@/lib/projects/service/resolve-project';
import { listServiceNames } from '../feed/data';
import { costsOfSessions, listSessionsOfChains } from '../sessions/data';
import { browseChainRows, type FixFacts, findFixFacts } from './browse/data';
import { fixStanding } from './browse/fix-standing';
import type { ChainPage, ChainQuery, FixStanding } from './browse/schema';
import { toChainItem } from './view/to-dto';

/** A page of chains, newest first, with the way to both sides. A fixed number of queries. */
export function browseChains(scope: TenantScope, query: ChainQuery): Promise<ChainPage> {
  const beforeId = query.before ? requireId('chn', query.before) : null;
  const afterId = query.after ? requireId('chn', query.after) : null;
  const { state, tier, service, trigger, since, until, hop, reason, limit } = query;
  return inTransaction(scope, async (db) => {
    const projectId = query.project ? (await requireProject(db, query.project)).id : null;
    const found = await browseChainRows(db, {
      projectId,
      state,
      tier,
      service,
      trigger,
      since,
      until,
      hop,
      reason,
      beforeId,
      afterId,
      limit,
    });
    const { rows, hasNewer, hasOlder } = twoWayPage(found, query);
    const sessions = await listSessionsOfChains(
      db,
      rows.map((row) => row.id),
    );
    const costs = await costsOfSessions(
      db,
      sessions.map((session) => session.id),
    );
    const fixed = rows.filter((row) => row.outcome === 'fixed').map((row) => row.id);
    const fixes = await findFixFacts(db, scope.organizationId, fixed);
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      data: rows.map((row) => ({
        ...toChainItem(
          row,
          sessions.filter((session) => session.chainId === row.id),
          costs,
        ),
        fix: fixOf(fixes.get(row.id)),
      })),
      newerThan: first && hasNewer ? encodeId('chn', first.id) : null,
      olderThan: last && hasOlder ? encodeId('chn', last.id) : null,
      services: await listServiceNames(db, projectId),
    };
  });
}

function fixOf(facts: FixFacts | undefined): FixStanding | null {
  return facts ? fixStanding(facts.services, facts.next) : null;
}
