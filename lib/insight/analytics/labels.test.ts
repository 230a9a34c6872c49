import { expect, it } from 'vitest';
import { bucketSizeOf, bucketsOf, type PlotRange } from './buckets';
import { bucketWords, labelsOf, spanWords } from './labels';

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

it.each([
  ['2026-11-20T13:00Z', '2026-11-20T16:00Z', 'from 20 Nov 14:00 to 20 Nov 17:00'],
  ['2026-11-16T23:00Z', '2026-11-19T23:00Z', 'from 17 Nov to 19 Nov'],
])('the span between %s and %s is %s', (from, to, words) => {
  const span = { from: new Date(from), to: new Date(to) };
  const zone = 'Europe/Berlin';
  expect(spanWords(bucketsOf(span, now, zone), bucketSizeOf(span), zone)).toBe(words);
});
