import { formatCost, microsOf } from '@/lib/platform/format/cost';
import type { Budgets } from '@/lib/projects/schema';

export interface BudgetFact {
  scope: 'chain' | 'day' | 'month';
  spentMicros: number;
  limitMicros: number;
}

/** Amounts spent, in micro-dollars. Day and month are in UTC and for the whole project. */
export interface Spending {
  chainMicros: number;
  dayMicros: number;
  monthMicros: number;
}

const MICROS = 1_000_000;

/** Share of a budget above which it warns. */
const BUDGET_WARN_SHARE = 0.8;

const SCOPES = [
  { scope: 'chain', limit: 'chainUsd', spent: 'chainMicros', words: "the chain's" },
  { scope: 'day', limit: 'dayUsd', spent: 'dayMicros', words: "today's" },
  { scope: 'month', limit: 'monthUsd', spent: 'monthMicros', words: "this month's" },
] as const;

const REMEDIES = {
  chain:
    'No further tier starts in this chain. The next chain starts with its whole budget; raise the budget if a repair needs more.',
  day: 'New chains start tomorrow 00:00 UTC, or when you raise the budget.',
  month: 'New chains start next month, or when you raise the budget.',
} as const;

/**
 * Returns every budget that is set, with the amount spent.
 *
 * @param unbookedMicros what was spent and isn't in `spending` yet, in micro-dollars
 */
export function budgetFacts(
  spending: Spending,
  budgets: Budgets,
  unbookedMicros = 0,
): BudgetFact[] {
  return SCOPES.flatMap(({ scope, limit: key, spent }) => {
    const limit = budgets[key];
    if (limit === null) return [];
    const spentMicros = spending[spent] + unbookedMicros;
    return [{ scope, spentMicros, limitMicros: microsOf(limit) }];
  });
}

/** Returns the first budget that is used up, of chain, day and month; null if none is. */
export function reachedBudget(budgets: readonly BudgetFact[]): BudgetFact | null {
  return budgets.find(({ spentMicros, limitMicros }) => spentMicros >= limitMicros) ?? null;
}

/** `Checkout reached today's budget of $10.00`. */
export function budgetClause(project: string, { scope, limitMicros }: BudgetFact): string {
  const { words } = SCOPES.find((each) => each.scope === scope) ?? SCOPES[0];
  return `${project} reached ${words} budget of ${formatCost(limitMicros)}`;
}

/** Returns what makes starts possible again after a budget is used up: time, or a person. */
export function budgetRemedy({ scope }: BudgetFact): string {
  return REMEDIES[scope];
}

export interface BudgetNotice {
  level: 'warning';
  code: 'BUDGET_WARNING' | 'BUDGET_REACHED';
  message: string;
  scope: BudgetFact['scope'];
  limitMicros: number;
  spentMicros: number;
}

/** Returns the budgets that a booking crossed: 80 % of the limit, or the limit. */
export function crossedBudgets(
  before: Spending,
  after: Spending,
  budgets: Budgets,
  project: string,
): BudgetNotice[] {
  const earlier = budgetFacts(before, budgets);
  return budgetFacts(after, budgets).flatMap((budget, index): BudgetNotice[] => {
    const { scope, spentMicros, limitMicros } = budget;
    const spentBefore = earlier[index]?.spentMicros ?? 0;
    const passed = (share: number) =>
      spentBefore < limitMicros * share && spentMicros >= limitMicros * share;
    const { words } = SCOPES.find((each) => each.scope === scope) ?? SCOPES[0];
    const used = `${formatCost(spentMicros)} of ${words} budget of ${formatCost(limitMicros)}`;
    if (passed(1)) {
      const message = `${project} has used up ${words} budget: ${used}. Nothing else starts on it until you raise it.`;
      return [{ level: 'warning', code: 'BUDGET_REACHED', message, ...budget }];
    }
    if (!passed(BUDGET_WARN_SHARE)) return [];
    const message = `${project} has spent ${used}. At the limit, nothing else starts.`;
    return [{ level: 'warning', code: 'BUDGET_WARNING', message, ...budget }];
  });
}

/**
 * Returns the maximum that a process may spend, in US dollars: the smallest amount left of all
 * limits; null without a limit.
 */
export function budgetLeftUsd(
  attemptUsd: number | null,
  spending: Spending,
  budgets: Budgets,
): number | null {
  const rests = budgetFacts(spending, budgets).map(
    ({ spentMicros, limitMicros }) => (limitMicros - spentMicros) / MICROS,
  );
  if (attemptUsd !== null) rests.push(attemptUsd);
  if (rests.length === 0) return null;
  // The CLI rejects 0, so the minimum is a hundredth of a cent.
  return Math.max(Math.min(...rests), 0.0001);
}
