import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { requireProject } from '@/lib/projects/service/resolve-project';
import {
  countMissingUsage,
  listDeletedNames,
  listModels,
  listProjectNames,
  listSessionNames,
  listSpendGroups,
  type SpendGroupRow,
  type SpendMatch,
  sumSpend,
} from '../data';
import { type SpendNames, toSpendRow } from '../names';
import type { SpendPage, SpendQuery, SpendSums } from '../schema';

/** What was spent in a span, summed by one thing. A fixed number of queries. */
export function getSpend(scope: TenantScope, query: SpendQuery): Promise<SpendPage> {
  const { from, to, groupBy } = query;
  return inTransaction(scope, async (db) => {
    const match: SpendMatch = {
      organizationId: scope.organizationId,
      projectId: query.project ? (await requireProject(db, query.project)).id : null,
      tier: query.tier ?? null,
      model: query.model ?? null,
      from,
      to,
    };
    const groups = await listSpendGroups(db, match, groupBy);
    const total = await sumSpend(db, match);
    const names = await namesOf(db, groups, query);
    return {
      rows: groups.map((row) => toSpendRow(row, groupBy, names)),
      rest: restOf(groups, total),
      total,
      missing: await countMissingUsage(db, match),
      models: await listModels(db),
    };
  });
}

async function namesOf(
  db: TenantDb,
  groups: readonly SpendGroupRow[],
  { groupBy }: SpendQuery,
): Promise<SpendNames> {
  const keys = groups.map((group) => group.key).filter((key) => key !== '');
  return {
    projects: groupBy === 'project' ? await listProjectNames(db, keys) : [],
    deleted: groupBy === 'project' ? await listDeletedNames(db, keys) : [],
    sessions: groupBy === 'session' ? await listSessionNames(db, keys) : [],
  };
}

function restOf(groups: readonly SpendGroupRow[], total: SpendSums): SpendPage['rest'] {
  const rows = (groups[0]?.groups ?? 0) - groups.length;
  if (rows === 0) return null;
  const left = (value: (sums: SpendSums) => number) =>
    value(total) - groups.reduce((sum, group) => sum + value(group), 0);
  return {
    rows,
    entries: left((sums) => sums.entries),
    tokens: left((sums) => sums.tokens),
    micros: left((sums) => sums.micros),
    estimateMicros: left((sums) => sums.estimateMicros),
  };
}
