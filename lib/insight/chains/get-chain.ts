import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { requireProject } from '@/lib/projects/service/resolve-project';
import {
  costsOfSessions,
  listDecisionRows,
  listHandoffRows,
  listRunnerChecks,
  listSessionsOfChains,
} from '../sessions/data';
import { toDecisionDto, toHandoffDto } from '../sessions/to-dto';
import { getChainWithProject, listHealthRows } from './view/data';
import type { ChainDetail } from './view/schema';
import { costByTier, toChainItem, toChainServices } from './view/to-dto';

/** `chn_…`, or the project's id or slug and the number that people use. */
export type ChainReference = string | { project: string; number: number };

/** Everything about a chain, in a fixed number of queries. */
export function getChain(scope: TenantScope, reference: ChainReference): Promise<ChainDetail> {
  return inTransaction(scope, async (db) => {
    const row = await getChainWithProject(
      db,
      typeof reference === 'string'
        ? { id: requireId('chn', reference) }
        : {
            projectId: (await requireProject(db, reference.project)).id,
            number: reference.number,
          },
    );
    const sessions = await listSessionsOfChains(db, [row.id]);
    const costs = await costsOfSessions(
      db,
      sessions.map((session) => session.id),
    );
    const decisions = await listDecisionRows(db, { chainId: row.id });
    const checks = await listRunnerChecks(db, { chainId: row.id });
    const handoffs = await listHandoffRows(db, { chainId: row.id });
    return {
      ...toChainItem(row, sessions, costs),
      prompt: row.prompt,
      costByTier: costByTier(sessions, costs),
      decisions: decisions.map((decision) => toDecisionDto(decision, checks)),
      handoffs: handoffs.map(toHandoffDto),
      services: toChainServices(await listHealthRows(db, row.id)),
    };
  });
}
