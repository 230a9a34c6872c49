import { expect, it } from 'vitest';
import { tierThatWasOff } from './tier-that-was-off';

it.each([
  ['above the maximum, after tier 1', 'MAX_TIER', 1, 2],
  ['above the maximum, after tier 2', 'MAX_TIER', 2, 3],
  ['turned off, after tier 1', 'TIER_DISABLED', 1, 2],
  ['no tier above 3', 'MAX_TIER', 3, null],
  ['stopped by a cooldown', 'COOLDOWN', 1, null],
  ['fixed', 'FIXED', 2, null],
  ['not ended', null, 1, null],
])(
  '[PAG-1.1] the tier to turn on, for a chain that was %s',
  (_name, outcomeReason, highestTier, tier) => {
    expect(tierThatWasOff({ outcomeReason, highestTier })).toBe(tier);
  },
);
