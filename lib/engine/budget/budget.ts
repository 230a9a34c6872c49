import { formatCost } from '@/lib/platform/format/cost';
import type { Budgets } from '@/lib/projects/schema';
import { BUDGET_WARN_SHARE } from '@/lib/projects/thresholds';
import type { Spending } from './data';

const MICROS = 1_000_000;

export interface ReachedBudget {
  scope: 'chain' | 'day' | 'month';
  limitMicros: number;
  spentMicros: number;
  sentence(project: string): string;
}

const SCOPES = [
  { scope: 'chain', limit: 'chainUsd', spent: 'chainMicros', words: "the chain's" },
  { scope: 'day', limit: 'dayUsd', spent: 'dayMicros', words: "today's" },
  { scope: 'month', limit: 'monthUsd', spent: 'monthMicros', words: "this month's" },
] as const;

const GOES_ON = {
  chain: 'It ends here',
  day: 'New chains start tomorrow 00:00 UTC',
  month: 'New chains start next month',
} as const;

/** The first budget that is used up, or null. A chain's own budget counts inside a chain only. */
export function reachedBudget(spending: Spending, budgets: Budgets): ReachedBudget | null {
  for (const { scope, limit: key, spent, words } of SCOPES) {
    const limit = budgets[key];
    if (limit === null || spending[spent] < limit * MICROS) continue;
    return {
      scope,
      limitMicros: limit * MICROS,
      spentMicros: spending[spent],
      sentence: (project) =>
        `${project} reached ${words} budget of ${formatCost(limit * MICROS)}. ${GOES_ON[scope]}, or when you raise the budget.`,
    };
  }
  return null;
}

export interface BudgetNotice {
  level: 'warning';
  code: 'BUDGET_WARNING' | 'BUDGET_REACHED';
  message: string;
  scope: ReachedBudget['scope'];
  limitMicros: number;
  spentMicros: number;
}

/** What a booking led to: the budgets that passed 80 % of their limit, or the limit, by it. */
export function crossedBudgets(
  before: Spending,
  after: Spending,
  budgets: Budgets,
  project: string,
): BudgetNotice[] {
  return SCOPES.flatMap(({ scope, limit: key, spent, words }): BudgetNotice[] => {
    const limit = budgets[key];
    if (limit === null) return [];
    const passed = (share: number) => {
      const micros = limit * share * MICROS;
      return before[spent] < micros && after[spent] >= micros;
    };
    const figures = { scope, limitMicros: limit * MICROS, spentMicros: after[spent] };
    const used = `${formatCost(after[spent])} of ${words} budget of ${formatCost(limit * MICROS)}`;
    if (passed(1)) {
      const message = `${project} has used up ${words} budget: ${used}. Nothing further starts on it until you raise it.`;
      return [{ level: 'warning', code: 'BUDGET_REACHED', message, ...figures }];
    }
    if (!passed(BUDGET_WARN_SHARE)) return [];
    const message = `${project} has spent ${used}. At the limit nothing further starts.`;
    return [{ level: 'warning', code: 'BUDGET_WARNING', message, ...figures }];
  });
}

/** What a process may spend at most, in US dollars: the least of every limit's rest; null without one. */
export function budgetLeftUsd(
  attemptUsd: number | null,
  spending: Spending,
  budgets: Budgets,
): number | null {
  const rests = [
    attemptUsd,
    rest(budgets.chainUsd, spending.chainMicros),
    rest(budgets.dayUsd, spending.dayMicros),
    rest(budgets.monthUsd, spending.monthMicros),
  ].filter((value) => value !== null);
  if (rests.length === 0) return null;
  // The CLI takes 0 as an error, so the least that is ever given is a hundredth of a cent.
  return Math.max(Math.min(...rests), 0.0001);
}

function rest(limitUsd: number | null, spentMicros: number): number | null {
  return limitUsd === null ? null : limitUsd - spentMicros / MICROS;
}
