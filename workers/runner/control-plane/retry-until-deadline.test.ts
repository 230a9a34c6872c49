import { expect, it } from 'vitest';
import { backoffMs } from './retry-until-deadline';

const policy = { firstMs: 100, maxMs: 1_000 };

it.each([
  [0, 0, 50],
  [0, 0.5, 75],
  [1, 0, 100],
  [3, 0.999, 800],
  [4, 0, 500],
  [500, 0.999, 1_000],
])('try %i with chance %d waits %i ms', (attempt, random, expected) => {
  expect(backoffMs(attempt, policy, random)).toBe(expected);
});
