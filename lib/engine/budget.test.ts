import { describe, expect, it } from 'vitest';
import {
  budgetClause,
  budgetFacts,
  budgetLeftUsd,
  budgetRemedy,
  crossedBudgets,
  reachedBudget,
} from './budget';

const none = { chainUsd: null, dayUsd: null, monthUsd: null };
const spent = (chain: number, day: number, month: number) => ({
  chainMicros: chain * 1_000_000,
  dayMicros: day * 1_000_000,
  monthMicros: month * 1_000_000,
});

describe('budgetLeftUsd', () => {
  it.each([
    ['without any limit', null, none, spent(5, 5, 5), null],
    ['the attempt’s own', 2, none, spent(5, 5, 5), 2],
    [
      'the least rest of all',
      2,
      { chainUsd: 3, dayUsd: 10, monthUsd: 100 },
      spent(2, 9.5, 50),
      0.5,
    ],
    ['the chain’s rest', 2, { chainUsd: 3, dayUsd: 10, monthUsd: 100 }, spent(2, 5, 50), 1],
    ['the month’s rest', 2, { ...none, monthUsd: 100 }, spent(0, 0, 99.75), 0.25],
    ['never 0', 2, { ...none, dayUsd: 1 }, spent(1, 1, 1), 0.0001],
    ['never below 0', null, { ...none, dayUsd: 1 }, spent(3, 3, 3), 0.0001],
  ])('%s', (_name, own, budgets, spending, left) => {
    expect(budgetLeftUsd(own, spending, budgets)).toBe(left);
  });
});

describe('reachedBudget', () => {
  it.each([
    [{ ...none, dayUsd: 1 }, spent(0, 0.99, 5), null],
    [{ ...none, dayUsd: 1 }, spent(0, 1, 5), 'day'],
    [{ ...none, monthUsd: 5 }, spent(0, 0, 5), 'month'],
    [{ chainUsd: 1, dayUsd: 1, monthUsd: 1 }, spent(1, 1, 1), 'chain'],
  ])('%o with %o', (budgets, spending, scope) => {
    expect(reachedBudget(budgetFacts(spending, budgets))?.scope ?? null).toBe(scope);
  });
});

describe('what a person reads', () => {
  it.each([
    [
      'chain',
      "Checkout reached the chain's budget of $2.00",
      /^No further tier starts in this chain/,
    ],
    ['day', "Checkout reached today's budget of $2.00", /^New chains start tomorrow 00:00 UTC/],
    ['month', "Checkout reached this month's budget of $2.00", /^New chains start next month/],
  ] as const)('names the budget of the %s and what helps', (scope, clause, remedy) => {
    const fact = { scope, spentMicros: 2_500_000, limitMicros: 2_000_000 };
    expect(budgetClause('Checkout', fact)).toBe(clause);
    expect(budgetRemedy(fact)).toMatch(remedy);
  });
});

describe('budgetFacts', () => {
  it('counts what is not booked yet in every budget', () => {
    const facts = budgetFacts(spent(1, 2, 3), { chainUsd: 5, dayUsd: 6, monthUsd: 7 }, 500_000);
    expect(facts.map(({ scope, spentMicros }) => [scope, spentMicros])).toEqual([
      ['chain', 1_500_000],
      ['day', 2_500_000],
      ['month', 3_500_000],
    ]);
  });

  it('counts what is not booked yet', () => {
    const facts = budgetFacts(spent(0, 0.6, 0), { ...none, dayUsd: 1 }, 400_000);
    expect(facts).toEqual([{ scope: 'day', spentMicros: 1_000_000, limitMicros: 1_000_000 }]);
    expect(reachedBudget(facts)?.scope).toBe('day');
  });
});

describe('crossedBudgets', () => {
  const budgets = { ...none, dayUsd: 1 };
  it.each([
    ['below 80 %', 0, 0.79, []],
    ['on 80 %', 0.5, 0.8, ['BUDGET_WARNING']],
    ['above 80 % already', 0.8, 0.9, []],
    ['on the limit', 0.9, 1, ['BUDGET_REACHED']],
    ['past both at once', 0, 3, ['BUDGET_REACHED']],
    ['past the limit already', 1, 2, []],
  ])('%s', (_name, before, after, codes) => {
    const notices = crossedBudgets(spent(0, before, 0), spent(0, after, 0), budgets, 'Checkout');
    expect(notices.map((notice) => notice.code)).toEqual(codes);
  });

  it('compares each budget with its earlier spending', () => {
    const all = { chainUsd: 1, dayUsd: 10, monthUsd: 100 };
    const codes = (before: Parameters<typeof spent>, after: Parameters<typeof spent>) =>
      crossedBudgets(spent(...before), spent(...after), all, 'Checkout').map(
        ({ scope, code }) => `${scope} ${code}`,
      );
    expect(codes([0.9, 0, 0], [0.95, 8, 0])).toEqual(['day BUDGET_WARNING']);
    expect(codes([0.9, 9, 70], [1, 9.5, 80])).toEqual([
      'chain BUDGET_REACHED',
      'month BUDGET_WARNING',
    ]);
    expect(codes([1, 10, 100], [2, 20, 200])).toEqual([]);
  });

  it('says what was spent of what', () => {
    const [notice] = crossedBudgets(spent(0, 0, 0), spent(0, 0.85, 0), budgets, 'Checkout');
    expect(notice?.message).toBe(
      "Checkout has spent $0.85 of today's budget of $1.00. At the limit, nothing else starts.",
    );
  });
});
