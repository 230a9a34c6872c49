import { expect, it } from 'vitest';
import { forecastMonth } from './forecast';

const now = new Date('2026-11-21T12:00:00Z');

it.each<[string, number, number[], [number, number, number] | null]>([
  ['the same every day', 210, [10, 10, 10, 10, 10, 10, 10, 10], [300, 300, 300]],
  [
    'only the last seven whole days count',
    210,
    [99, 10, 10, 10, 10, 10, 10, 10, 10],
    [300, 300, 300],
  ],
  [
    'today is not over: the rest of its pace is added',
    205,
    [10, 10, 10, 10, 10, 10, 10, 5],
    [300, 300, 300],
  ],
  [
    'today above the pace is taken as it is',
    240,
    [10, 10, 10, 10, 10, 10, 10, 40],
    [330, 330, 330],
  ],
  ['days that differ give a range', 100, [5, 10, 15, 15], [190, 145, 235]],
  ['three whole days are enough', 30, [10, 10, 10, 0], [130, 130, 130]],
  ['two whole days are too few', 20, [10, 10, 0], null],
  ['the first day', 2, [2], null],
])('[PAG-2.1] the forecast: %s', (_what, month, days, expected) => {
  const forecast = forecastMonth(month, days, now);
  const found = forecast && [forecast.micros, forecast.lowMicros, forecast.highMicros];
  expect(found).toEqual(expected);
});

it('[PAG-2.1] on the last day of a month only the rest of that day is ahead', () => {
  const end = new Date('2026-11-30T20:00:00Z');
  expect(forecastMonth(300, [10, 10, 10, 6], end)).toMatchObject({ micros: 304, paceMicros: 10 });
});
