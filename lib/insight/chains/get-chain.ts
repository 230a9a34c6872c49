import { WEBHOOK_EVENT_TYPES } from '@/lib/deliveries/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { getConfig } from '@/lib/projects/project-rows';
import type { Tier } from '@/lib/protocol/spec';
import { listFeedRows, toFeedEvent } from '../feed';
import {
  costsOfSessions,
  listDecisionRows,
  listHandoffRows,
  listRunnerChecks,
  listSessionsOfChains,
} from '../sessions/data';
import { toDecisionDto, toHandoffDto } from '../sessions/to-dto';
import { compareEscalations } from './compare-escalations';
import {
  getChainWithProject,
  listChainDeliveries,
  listCountedActions,
  listHealthRows,
  listWorkAttempts,
  listWorkLedger,
} from './data';
import type { ChainDetail, ChainWork } from './schema';
import {
  costByTier,
  toChainItem,
  toChainServices,
  toEscalationDto,
  toWorkAttempt,
  toWorkCall,
  toWorkDelivery,
  toWorkLedger,
} from './to-dto';
import { listWorkCalls } from './work-calls';

/** `chn_…`, or the project's id or slug and the number that people use. */
type ChainReference = string | { project: string; number: number };

/** Returns everything about a chain, in a fixed number of queries. */
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
    const costs = await costsOfSessions(db, sessions);
    const decisions = await listDecisionRows(db, { chainId: row.id });
    const checks = await listRunnerChecks(db, { chainId: row.id });
    const handoffs = await listHandoffRows(db, { chainId: row.id });
    const hops = await compareEscalations(db, sessions, handoffs);
    return {
      ...toChainItem(row, sessions, costs),
      prompt: row.prompt,
      costByTier: costByTier(sessions, costs),
      decisions: decisions.map((decision) => toDecisionDto(decision, checks)),
      handoffs: handoffs.map(toHandoffDto),
      escalations: hops.map(toEscalationDto),
      services: toChainServices(await listHealthRows(db, row.id)),
    };
  });
}

/**
 * Whether a project allows a tier now.
 *
 * @param project `prj_…` or slug
 */
export function isTierOn(scope: TenantScope, project: string, tier: Tier): Promise<boolean> {
  return inTransaction(scope, async (db) => {
    const { id, currentVersion } = await requireProject(db, project);
    const { maxTier, tiers } = await getConfig(db, id, currentVersion);
    return tier <= maxTier && tiers.some((each) => each.tier === tier && each.isEnabled);
  });
}

const MAX_EVENTS = 200;

/**
 * Returns what was done in a chain: its processes with their figures, the calls of tiers 2 and 3
 * that may have changed something, the refused ones, notices and deliveries. A fixed number of
 * queries.
 *
 * @param sessionIds `ses_…` of the chain's own sessions
 */
export function getChainWork(
  scope: TenantScope,
  chainId: string,
  sessionIds: readonly string[],
): Promise<ChainWork> {
  const id = requireId('chn', chainId);
  const sessions = sessionIds.map((session) => requireId('ses', session));
  return inTransaction(scope, async (db) => {
    const attempts = await listWorkAttempts(db, sessions);
    const ledger = await listWorkLedger(db, id);
    const { changing, denied } = await listWorkCalls(db, sessions);
    const counted = await listCountedActions(db, sessions);
    const newest = { beforeId: null, afterId: null, limit: MAX_EVENTS };
    const events = await listFeedRows(db, { chainId: id }, newest);
    const aboutIds = [id, ...sessions, ...sessionIds];
    const deliveries = await listChainDeliveries(db, aboutIds, WEBHOOK_EVENT_TYPES);
    return {
      attempts: attempts.map((row) => toWorkAttempt(row, ledger)),
      ledger: ledger.map(toWorkLedger),
      actions: changing.map((row) => toWorkCall(row, counted)),
      denied: denied.map((row) => toWorkCall(row, counted)),
      events: events.map(toFeedEvent).reverse(),
      deliveries: deliveries.map(toWorkDelivery),
    };
  });
}
