import { expect, it } from 'vitest';
import { forecastMonth } from './forecast';

const now = new Date('2026-11-21T12:00:00Z');

it.each([
  ['the same every day', 210, [10, 10, 10, 10, 10, 10, 10, 10], 300],
  ['only the last seven whole days count', 210, [99, 10, 10, 10, 10, 10, 10, 10, 10], 300],
  ['today is not over: the rest of its pace is added', 205, [10, 10, 10, 10, 10, 10, 10, 5], 300],
  ['today above the pace is taken as it is', 240, [10, 10, 10, 10, 10, 10, 10, 40], 330],
  ['a project of yesterday', 12, [10, 2], 110],
  ['the first day', 2, [2], null],
])('%s', (_what, month, days, expected) => {
  expect(forecastMonth(month, days, now)).toBe(expected);
});

it('on the last day of a month only the rest of that day is ahead', () => {
  expect(forecastMonth(300, [10, 10, 6], new Date('2026-11-30T20:00:00Z'))).toBe(304);
});
