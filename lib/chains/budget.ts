import { formatCost } from '@/lib/format/cost';
import type { Budgets } from '@/lib/projects/schema';
import type { Spending } from '@/lib/usage/data';

const MICROS = 1_000_000;

export interface ReachedBudget {
  scope: 'chain' | 'day' | 'month';
  limitMicros: number;
  spentMicros: number;
  sentence(project: string): string;
}

/** The first budget that is used up, or null. A chain's own budget counts inside a chain only. */
export function reachedBudget(spending: Spending, budgets: Budgets): ReachedBudget | null {
  const checks = [
    { scope: 'chain', limit: budgets.chainUsd, spent: spending.chainMicros, when: 'It ends here' },
    {
      scope: 'day',
      limit: budgets.dayUsd,
      spent: spending.dayMicros,
      when: 'New chains start tomorrow 00:00 UTC',
    },
    {
      scope: 'month',
      limit: budgets.monthUsd,
      spent: spending.monthMicros,
      when: 'New chains start next month',
    },
  ] as const;
  for (const { scope, limit, spent, when } of checks) {
    if (limit === null || spent < limit * MICROS) continue;
    const words = { chain: "the chain's", day: "today's", month: "this month's" }[scope];
    return {
      scope,
      limitMicros: limit * MICROS,
      spentMicros: spent,
      sentence: (project) =>
        `${project} reached ${words} budget of ${formatCost(limit * MICROS)}. ${when}, or when you raise the budget.`,
    };
  }
  return null;
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
