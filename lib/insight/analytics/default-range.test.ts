import { expect, it } from 'vitest';
import { defaultRange } from './default-range';

const now = new Date('2026-11-21T14:58:00Z');

it.each([
  ['nothing yet', null, '24h'],
  ['two hours of data', '2026-11-21T13:00:00Z', '24h'],
  ['exactly a day', '2026-11-20T14:58:00Z', '24h'],
  ['a minute more than a day', '2026-11-20T14:57:00Z', '7d'],
  ['months', '2026-03-01T00:00:00Z', '7d'],
])('[PAG-2.1] with %s the plots start with the range that fits', (_what, first, range) => {
  expect(defaultRange(first ? new Date(first) : null, now)).toBe(range);
});
