import { expect, it } from 'vitest';
import type { LedgerRow } from '@/lib/insight/sessions/schema';
import { claimDifference } from './claim-difference';

const COUNTS = {
  inputTokens: 1_000,
  outputTokens: 100,
  cacheReadTokens: 5_000,
  cacheWriteTokens: 0,
};
const ROW: LedgerRow = {
  attemptId: 'att_1',
  tier: 1,
  model: 'claude-haiku-5',
  ...COUNTS,
  costUsd: 0.02,
  source: 'metered',
  isEstimate: false,
  priceTable: null,
  claimed: { ...COUNTS, costUsd: 0.02 },
  bookedAt: '2026-11-26T00:00:00.000Z',
};

it.each<[string, Partial<NonNullable<LedgerRow['claimed']>> | null, string | null]>([
  ['the same', {}, null],
  ['no claim', null, null],
  ['a rounding', { costUsd: 0.02004 }, null],
  ['an unknown cost', { costUsd: null }, null],
  ['fewer tokens', { outputTokens: 40 }, 'The CLI says 60 tokens less'],
  ['more tokens', { inputTokens: 3_000 }, 'The CLI says 2k tokens more'],
  [
    'another kind of tokens',
    { inputTokens: 1_100, outputTokens: 0 },
    'The CLI divides the tokens differently',
  ],
  ['a higher price', { costUsd: 0.05 }, 'The CLI says $0.03 more'],
])('[BND-3.2] %s', (_what, change, expected) => {
  const claimed = change && ROW.claimed && { ...ROW.claimed, ...change };
  expect(claimDifference({ ...ROW, claimed })).toBe(expected);
});
