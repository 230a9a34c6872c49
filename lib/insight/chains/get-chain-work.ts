import { WEBHOOK_EVENT_TYPES } from '@/lib/deliveries/schema';
import { mayHaveChangedBy } from '@/lib/engine/continuation/tool-calls';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { listFeedRows } from '../feed/data';
import { toFeedEvent } from '../feed/to-dto';
import {
  type CallRow,
  listCallRows,
  listChainDeliveries,
  listCountedActions,
  listWorkAttempts,
  listWorkLedger,
} from './work/data';
import type { ChainWork } from './work/schema';
import { inputOf, toWorkAttempt, toWorkCall, toWorkDelivery, toWorkLedger } from './work/to-dto';

const MAX_EVENTS = 200;

function mayHaveChanged(row: CallRow): boolean {
  return mayHaveChangedBy({
    tool: row.tool,
    input: inputOf(row),
    result: row.is_denied === null ? null : { denied: row.is_denied },
  });
}

/**
 * What was done in a chain: its processes with their figures, the calls of tiers 2 and 3 that may
 * have changed something, the refused ones, notices and deliveries. A fixed number of queries.
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
    const calls = await listCallRows(db, scope.organizationId, sessions);
    const counted = await listCountedActions(db, sessions);
    const events = await listFeedRows(db, {
      projectId: null,
      chainId: id,
      beforeId: null,
      afterId: null,
      limit: MAX_EVENTS,
    });
    const aboutIds = [id, ...sessions, ...sessionIds];
    const deliveries = await listChainDeliveries(db, aboutIds, WEBHOOK_EVENT_TYPES);
    const changing = calls.filter((row) => row.tier > 1 && mayHaveChanged(row));
    return {
      attempts: attempts.map((row) => toWorkAttempt(row, ledger)),
      ledger: toWorkLedger(ledger, attempts),
      actions: changing.map((row) => toWorkCall(row, counted)),
      denied: calls.filter((row) => row.is_denied).map((row) => toWorkCall(row, counted)),
      events: events.map(toFeedEvent).reverse(),
      deliveries: deliveries.map(toWorkDelivery),
    };
  });
}
