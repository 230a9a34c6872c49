import { expect, it } from 'vitest';
import { type SpendRange, spanOf, spanOfDay } from './span';

const now = new Date('2026-11-21T14:58:00Z');

it.each<[SpendRange, string, string]>([
  ['24h', '2026-11-20T15:00:00.000Z', '2026-11-21T15:00:00.000Z'],
  ['7d', '2026-11-15T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['30d', '2026-10-23T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  ['month', '2026-11-01T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
])('%s is from %s to %s', (range, from, to) => {
  const span = spanOf(range, now);
  expect([span.from.toISOString(), span.to.toISOString()]).toEqual([from, to]);
});

it.each([
  ['2026-11-21', '2026-11-22T00:00:00.000Z'],
  ['2026-02-30', undefined],
  ['yesterday', undefined],
])('the day %s ends at %s', (text, to) => {
  expect(spanOfDay(text)?.to.toISOString()).toBe(to);
});
