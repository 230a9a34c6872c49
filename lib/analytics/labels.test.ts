import { expect, it } from 'vitest';
import { bucketSizeOf, bucketsOf, type PlotRange } from './buckets';
import { bucketWords, labelsOf } from './labels';

const now = new Date('2026-11-21T13:58:00Z');

it.each<[PlotRange, string, string]>([
  ['24h', '14:00', '21 Nov, 14:00–15:00'],
  ['7d', '21 Nov', 'Sat 21 Nov'],
  ['90d', '16 Nov', '16–22 Nov'],
])('the current bucket of %s is %s, in full %s', (range, short, long) => {
  const zone = 'Europe/Berlin';
  const labels = labelsOf(bucketsOf(range, now, zone), bucketSizeOf(range), zone);
  expect(labels.at(-1)).toEqual({ short, long });
});

it('a week over two months names both', () => {
  const labels = labelsOf(bucketsOf('90d', now, 'UTC'), 'week', 'UTC');
  expect(labels.map((label) => label.long)).toContain('26 Oct – 1 Nov');
  expect(labels.map((label) => label.short)).toContain('7 Sep');
});

it('says what a column stands for', () => {
  expect(bucketWords('day', 'Europe/Berlin')).toBe('by day, Europe/Berlin');
});
