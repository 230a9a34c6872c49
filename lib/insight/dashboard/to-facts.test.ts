import { expect, it } from 'vitest';
import { recoveryOf, worstOfChain } from './to-facts';

it.each([
  // First, worst, last result, highest tier: what the cell shows.
  ['healthy', 'healthy', 'healthy', 1, 'healthy', null],
  ['down', 'down', 'down', 3, 'down', null],
  ['down', 'down', 'healthy', 2, 'down', 'repaired'],
  ['down', 'down', 'healthy', 3, 'down', 'repaired'],
  ['degraded', 'down', 'healthy', 1, 'down', 'recovered'],
  ['healthy', 'down', 'healthy', 2, 'down', 'repaired'],
  ['down', 'down', 'degraded', 2, 'down', null],
  // Recorded before the worst was.
  ['down', null, 'healthy', 2, 'down', 'repaired'],
  ['healthy', null, 'degraded', 1, 'degraded', null],
])(
  '[PAG-1.2] %s, at worst %s, at last %s in tier %s: %s, %s',
  (before, worst, last, tier, state, recovery) => {
    const health = { status: last, statusBefore: before, statusWorst: worst };
    expect(worstOfChain(health)).toBe(state);
    expect(recoveryOf(health, tier)?.kind ?? null).toBe(recovery);
  },
);
