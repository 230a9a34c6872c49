import { findAgent, pricesOf } from '@/lib/agents/registry';
import { isOurTool, mayHaveChangedBy } from '@/lib/engine/continuation/tool-calls';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import {
  type ComparedHandoff,
  type ComparedSession,
  listComparedHandoffs,
  listComparedSessions,
  listEscalatedChains,
  listWorkCalls,
  listWorkUsage,
  MAX_COMPARED_CALLS,
  type WorkCallRow,
  type WorkUsageRow,
} from './escalation-data';
import {
  type EscalationValue,
  escalationValue,
  type RequestTokens,
  type SessionWork,
} from './escalation-value';
import { type EscalationTotals, MAX_COMPARED_CHAINS, totalEscalations } from './escalation-words';

export interface ComparedHop {
  /** UUIDs of the sessions. */
  fromId: string;
  toId: string;
  mechanism: string | null;
  value: EscalationValue;
}

/** Compares every escalation among these sessions with a start from the handoff. Two queries. */
export async function compareEscalations(
  db: TenantDb,
  sessions: readonly ComparedSession[],
  handoffs: readonly ComparedHandoff[],
): Promise<ComparedHop[]> {
  const hops = sessions.filter((session) => session.parentSessionId !== null);
  if (hops.length === 0) return [];
  const ids = sessions.map((session) => session.id);
  const usage = new Map((await listWorkUsage(db, ids)).map((row) => [row.sessionId, row]));
  const calls = await listWorkCalls(db, ids);
  const isCut = calls.length > MAX_COMPARED_CALLS;
  const work = (id: string) => workOf(usage.get(id), calls, id, isCut);
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return hops.flatMap((child): ComparedHop[] => {
    const parent = child.parentSessionId ? byId.get(child.parentSessionId) : undefined;
    if (!parent) return [];
    const handoff = handoffs.find((each) => each.sessionId === parent.id);
    const value = escalationValue({
      mechanism: child.mechanism,
      parent: work(parent.id),
      child: work(child.id),
      base: firstRequest(usage.get(beginningOf(parent, byId).id)),
      handoffChars: handoff ? JSON.stringify(handoff.payload).length : null,
      prices: pricesOf(usage.get(child.id)?.harness),
    });
    return [{ fromId: parent.id, toId: child.id, mechanism: child.mechanism, value }];
  });
}

/** The session that began the conversation: those after it resumed. */
function beginningOf(
  session: ComparedSession,
  byId: ReadonlyMap<string, ComparedSession>,
): ComparedSession {
  let first = session;
  while (first.mechanism === 'resume' && first.parentSessionId !== null) {
    const before = byId.get(first.parentSessionId);
    if (!before) break;
    first = before;
  }
  return first;
}

function workOf(
  row: WorkUsageRow | undefined,
  calls: readonly WorkCallRow[],
  sessionId: string,
  isCut: boolean,
): SessionWork {
  const { model, first, last } = row ?? { model: null, first: null, last: null };
  return {
    usage:
      row && model && first && last
        ? {
            model,
            requests: row.requests,
            first: tokensOf(first),
            last: tokensOf(last),
            outputTokens: row.outputTokens,
          }
        : null,
    calls: calls
      .filter((call) => call.sessionId === sessionId && !isReport(call))
      .map(({ seq, tool, input, harness, isConfined }) => ({
        seq,
        tool,
        input,
        mayHaveChanged: mayHaveChangedBy({
          tool,
          isOurs: isOurTool(tool, harness),
          isConfined,
          input,
          result: { denied: false },
        }),
      })),
    hasCompacted: row?.hasCompacted ?? false,
    unknown: isCut ? 'log_too_long' : row?.isDeleted ? 'log_deleted' : null,
  };
}

function isReport({ tool, harness }: WorkCallRow): boolean {
  return harness !== null && tool === findAgent(harness)?.toolNames.report;
}

function firstRequest(row: WorkUsageRow | undefined): RequestTokens | null {
  return row?.first ? tokensOf(row.first) : null;
}

function tokensOf({ input, read, write }: NonNullable<WorkUsageRow['first']>): RequestTokens {
  return { inputTokens: input, cacheReadTokens: read, cacheWriteTokens: write };
}

/** Sums up the escalations of a span, of the newest chains that had one. Five queries. */
export async function getEscalationTotals(
  db: TenantDb,
  span: { from: Date; to: Date; projectId: string | null },
): Promise<EscalationTotals> {
  const found = await listEscalatedChains(db, span, MAX_COMPARED_CHAINS + 1);
  const chainIds = found.slice(0, MAX_COMPARED_CHAINS);
  const sessions = await listComparedSessions(db, chainIds);
  const handoffs = await listComparedHandoffs(db, chainIds);
  const hops = await compareEscalations(db, sessions, handoffs);
  return totalEscalations(hops, found.length > chainIds.length);
}
