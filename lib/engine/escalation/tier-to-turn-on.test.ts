import { expect, it } from 'vitest';
import { tierToTurnOn } from './tier-to-turn-on';

it.each([
  ['needs_human', 'MAX_TIER', 1, 2],
  ['needs_human', 'MAX_TIER', 2, 3],
  ['needs_human', 'TIER_DISABLED', 1, 2],
  ['needs_human', 'MAX_TIER', 3, null],
  ['needs_human', 'MAX_TIER', 0, null],
  ['needs_human', 'COOLDOWN', 1, null],
  ['needs_human', null, 1, null],
  ['suppressed', 'MAX_TIER', 1, null],
  [null, 'MAX_TIER', 1, null],
])(
  '[PAG-2.2] a chain that ended as %s for %s after tier %s: %s',
  (outcome, reason, highestTier, tier) => {
    expect(tierToTurnOn({ outcome, reason, highestTier })).toBe(tier);
  },
);
