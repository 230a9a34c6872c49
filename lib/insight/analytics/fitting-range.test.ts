import { expect, it } from 'vitest';
import { rangeThatFits } from './fitting-range';

const now = new Date('2026-11-21T14:58:00Z');

it.each([
  [null, '7d', '24h'],
  ['2026-11-21T13:00:00Z', '7d', '24h'],
  ['2026-11-20T15:00:00Z', '7d', '24h'],
  ['2026-11-20T14:00:00Z', '7d', '7d'],
  ['2026-10-01T00:00:00Z', '7d', '7d'],
  ['2026-11-20T14:00:00Z', '30d', '7d'],
  ['2026-11-10T14:00:00Z', '30d', '30d'],
  ['2026-01-01T00:00:00Z', '30d', '30d'],
] as const)(
  '[PAG-2.1] the plots of data since %s show at most %s, so they start with %s',
  (firstAt, longest, range) => {
    expect(rangeThatFits(firstAt === null ? null : new Date(firstAt), now, longest)).toBe(range);
  },
);
