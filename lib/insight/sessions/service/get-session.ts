import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { usdOf } from '@/lib/platform/format/money';
import { recordOf } from '@/lib/platform/format/record-of';
import { requireId } from '@/lib/platform/ids/require-id';
import { requireProject } from '@/lib/projects/service/resolve-project';
import { toAttemptDto, toLedgerRow } from '../attempt-dto';
import {
  costsOfSessions,
  getSessionRow,
  listAttemptRows,
  listDecisionRows,
  listHandoffRows,
  listLedgerRows,
  listRunnerChecks,
  listSessionsOfChains,
} from '../data';
import type { SessionDetail } from '../schema';
import { toDecisionDto, toHandoffDto, toSessionItem } from '../to-dto';

/** `ses_…`, or the project's id or slug and the number that people use. */
export type SessionReference = string | { project: string; number: number };

/** Everything about a session, in a fixed number of queries. */
export function getSession(
  scope: TenantScope,
  reference: SessionReference,
): Promise<SessionDetail> {
  return inTransaction(scope, async (db) => {
    const row = await getSessionRow(
      db,
      typeof reference === 'string'
        ? { id: requireId('ses', reference) }
        : {
            projectId: (await requireProject(db, reference.project)).id,
            number: reference.number,
          },
    );
    const attempts = await listAttemptRows(db, row.id);
    const ledger = await listLedgerRows(db, row.id);
    const checks = await listRunnerChecks(db, { sessionId: row.id });
    const decisions = (await listDecisionRows(db, { sessionId: row.id })).map((decision) =>
      toDecisionDto(decision, checks),
    );
    const handoffs = await listHandoffRows(db, {
      sessionId: { in: [row.id, row.parentSessionId ?? row.id] },
    });
    const siblings = await listSessionsOfChains(db, [row.chainId]);
    const costs = await costsOfSessions(
      db,
      siblings.map((sibling) => sibling.id),
    );
    const given = handoffs.find((handoff) => handoff.sessionId === row.id);
    const received = handoffs.find((handoff) => handoff.sessionId === row.parentSessionId);
    const chainMicros = [...costs.values()].reduce((sum, cost) => sum + cost.micros, 0n);
    return {
      ...toSessionItem(row, costs.get(row.id)),
      chainStatus: row.chain.status,
      chainOutcome: row.chain.outcome,
      discardedAt: row.discardedAt?.toISOString() ?? null,
      discardedBy: row.discardedBy,
      version: row.projectVersion,
      attempts: attempts.map((attempt) => toAttemptDto(attempt, ledger)),
      ledger: ledger.map(toLedgerRow),
      decision: decisions.findLast((decision) => decision.kind === 'continuation') ?? null,
      decisions,
      report: recordOf(row.report),
      handoff: given ? toHandoffDto(given) : null,
      receivedHandoff: received ? toHandoffDto(received) : null,
      contextUse: contextUseOf(attempts),
      chainSessions: siblings.map((sibling) => toSessionItem(sibling, costs.get(sibling.id))),
      chainCostUsd: usdOf(chainMicros),
      lastSeq: row.lastSeq,
    };
  });
}

/** Of the last attempt that said it. */
function contextUseOf(
  attempts: readonly { contextTokens: number | null; contextWindow: number | null }[],
): SessionDetail['contextUse'] {
  const last = attempts.findLast((attempt) => attempt.contextTokens !== null);
  if (!last || last.contextTokens === null) return null;
  return {
    usedTokens: last.contextTokens,
    windowTokens: last.contextWindow,
    share: last.contextWindow ? last.contextTokens / last.contextWindow : null,
  };
}
