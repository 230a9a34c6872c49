import { describe, expect, it } from 'vitest';
import { budgetFacts, budgetLeftUsd, crossedBudgets, reachedBudget } from './budget';

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

describe('budgetFacts', () => {
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

  it('says what was spent of what', () => {
    const [notice] = crossedBudgets(spent(0, 0, 0), spent(0, 0.85, 0), budgets, 'Checkout');
    expect(notice?.message).toBe(
      "Checkout has spent $0.85 of today's budget of $1.00. At the limit, nothing else starts.",
    );
  });
});
