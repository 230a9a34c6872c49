import { expect, it } from 'vitest';
import type { AttemptSeal, LedgerRow } from '@/lib/insight/sessions/schema';
import { DEFAULT_CHECKPOINTS } from '@/lib/projects/checkpoint-settings';
import { claimDifference, emptyCheckpoints, sealWords } from './session-words';

const now = new Date('2026-11-22T12:00:00Z');
const startedAt = '2026-11-10T11:00:00Z';

it.each([
  ['2026-11-15T12:00:00Z', startedAt, true, 'No checkpoints left.'],
  ['2026-11-15T12:00:00Z', startedAt, false, 'No checkpoints left.'],
  ['2026-11-15T12:00:01Z', startedAt, true, 'No checkpoints.'],
  ['2026-11-22T11:00:00Z', null, true, 'No checkpoints.'],
  ['2026-11-22T11:00:00Z', startedAt, false, 'Checkpoints are off.'],
  [null, startedAt, false, 'Checkpoints are off.'],
  [null, startedAt, true, 'No checkpoints yet.'],
])('ended %s, started %s, on %s: %s', (endedAt, started, enabled, title) => {
  const session = { startedAt: started, endedAt };
  const settings = { ...DEFAULT_CHECKPOINTS, enabled };
  expect(emptyCheckpoints(session, settings, now).title).toBe(title);
});

const kept = (bytes: number | null, storedBytes: number | null): AttemptSeal => ({
  state: 'kept',
  bytes,
  storedBytes,
  keptUntil: '2026-11-28T12:00:00.000Z',
});

it.each<[string, AttemptSeal | null]>([
  ['—', null],
  ['40 kB, 900 B stored', kept(40_000, 900)],
  ['1.5 MB, 210 kB stored', kept(1_500_000, 210_400)],
  ['unknown size, unknown size stored', kept(null, null)],
  ['None has arrived', { ...kept(null, null), state: 'none' }],
  ['Not kept: it is too large', { ...kept(null, null), state: 'too_large' }],
])('[FLT-4.1] %s', (words, seal) => {
  expect(sealWords(seal)).toBe(words);
});

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
