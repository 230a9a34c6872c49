import { PRICES_MEASURED_ON } from '@/lib/agents/claude/prices';
import type { AttemptRow } from '@/lib/engine/attempts/data';
import { type BudgetNotice, crossedBudgets } from '@/lib/engine/chains/budget';
import { listSeenCommands, recordActions } from '@/lib/engine/cooldowns/data';
import { type NewNotice, recordNotices } from '@/lib/engine/events/data';
import { bookLedger, getSpending } from '@/lib/engine/usage/data';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { OutOfRange } from '@/lib/protocol/figures';
import { unbookAttempt } from '../data';
import type { SettlementPlan } from '../plan';
import type { SettlementRows } from './load-facts';

/** Figures out of range that a notice names. */
const MAX_NAMED = 5;

/** What is booked, and under what. */
interface BookedRows {
  project: { id: string };
  chain: { id: string } | null;
  session: { id: string; tier: number };
  /** Other than the session's. */
  tier?: number;
  facts: { attempt: { isLate: boolean } };
}

/** Books an attempt's lines, and writes a notice where figures that it reported were out of range. */
export async function writeLedger(
  db: TenantDb,
  scope: TenantScope,
  attempt: AttemptRow,
  rows: BookedRows,
  plan: Pick<SettlementPlan, 'ledger' | 'result' | 'outOfRange'>,
  now: Date,
): Promise<void> {
  if (rows.facts.attempt.isLate) await unbookAttempt(db, scope.organizationId, attempt.id);
  await bookLedger(
    db,
    scope.organizationId,
    plan.ledger.map((line) => ({
      projectId: rows.project.id,
      chainId: rows.chain?.id ?? null,
      sessionId: rows.session.id,
      attemptId: attempt.id,
      tier: rows.tier ?? rows.session.tier,
      model: line.model,
      inputTokens: line.inputTokens,
      outputTokens: line.outputTokens,
      cacheReadTokens: line.cacheReadTokens,
      cacheWriteTokens: line.cacheWriteTokens,
      costMicros: Math.round(line.costUsd * 1_000_000),
      source: line.source,
      priceTable: line.isEstimate ? PRICES_MEASURED_ON : null,
      raw: plan.result?.modelUsage[line.model] ?? null,
    })),
    now,
  );
  const notices = outOfRangeNotice(plan.outOfRange, rows);
  await recordNotices(db, scope.organizationId, notices, now);
}

function outOfRangeNotice(outOfRange: OutOfRange, rows: BookedRows): NewNotice[] {
  if (outOfRange.length === 0) return [];
  const figures = outOfRange.slice(0, MAX_NAMED).map(({ figure, value }) => `${figure} ${value}`);
  const more = outOfRange.length > MAX_NAMED ? ` and ${outOfRange.length - MAX_NAMED} more` : '';
  return [
    {
      projectId: rows.project.id,
      chainId: rows.chain?.id ?? null,
      sessionId: rows.session.id,
      level: 'warning',
      code: 'FIGURE_OUT_OF_RANGE',
      message: `The agent or its runner reported figures that can't be right: ${figures.join(', ')}${more}. They count as unknown, and costs that follow from them are estimates.`,
    },
  ];
}

/** Said once, by the booking that passed the mark; a late one may be it. Gives what it passed. */
export async function noteBudgets(
  db: TenantDb,
  scope: TenantScope,
  { facts, session, chain, project }: SettlementRows,
  now: Date,
): Promise<BudgetNotice[]> {
  const { budgets } = facts.live;
  if (Object.values(budgets).every((limit) => limit === null)) return [];
  const spending = await getSpending(db, scope.organizationId, project.id, chain.id, now);
  const about = { projectId: project.id, chainId: chain.id, sessionId: session.id };
  const notices = crossedBudgets(facts.spending, spending, budgets, project.name);
  await recordNotices(
    db,
    scope.organizationId,
    notices.map((notice) => ({ ...notice, ...about })),
    now,
  );
  return notices;
}

/** What the agent says it did counts too, unless the control plane saw the command itself. */
export async function recordReportedActions(
  db: TenantDb,
  scope: TenantScope,
  { session, project, facts }: SettlementRows,
  plan: SettlementPlan,
  now: Date,
): Promise<void> {
  const reported = plan.report?.actions_taken ?? [];
  if (reported.length === 0) return;
  const seen = await listSeenCommands(db, session.id);
  await recordActions(
    db,
    scope.organizationId,
    reported.flatMap((action, index) => {
      if (action.action === 'other') return [];
      if (seen.some((row) => row.service === action.service && row.action === action.action))
        return [];
      return [
        {
          projectId: project.id,
          sessionId: session.id,
          service: action.service,
          action: action.action,
          source: 'report' as const,
          evidence: `report-${facts.attempt.number}-${index}`,
          command: action.command.slice(0, 2_000),
          at: now,
        },
      ];
    }),
  );
}
