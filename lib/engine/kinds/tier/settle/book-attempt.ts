import { type BudgetNotice, crossedBudgets } from '@/lib/engine/budget/budget';
import { getSpending } from '@/lib/engine/budget/data';
import { listSeenCommands, recordActions } from '@/lib/engine/cooldowns/recorded-actions';
import { recordNotices } from '@/lib/engine/events/notices';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { SettlementRows } from './load-facts';
import type { SettlementPlan } from './plan';

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
