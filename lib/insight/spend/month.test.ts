import { describe, expect, it } from 'vitest';
import { forecastMonth, joinBudgets, monthReadFrom, spendMonth } from './month';

const now = new Date('2026-11-05T12:00:00Z');
const sum = (day: string, usd: number) => ({ day: `2026-11-${day}`, micros: usd * 1_000_000 });

describe('[PAG-2.1] the month against its budget', () => {
  it('adds up what is known of it, and the forecast stands on that', () => {
    const sums = [sum('01', 1), sum('02', 2), sum('04', 3), sum('05', 1)];
    const { monthMicros, forecast, sentence } = spendMonth(sums, 30_000_000, now);
    expect(monthMicros).toBe(7_000_000);
    // (1 + 2 + 0 + 3) / 4 = 1.50 a day, of which $0.50 is left for today.
    expect(forecast?.micros).toBe(45_000_000);
    expect(sentence).toBe(
      '$7.00 so far in November, 23% of the $30.00 budget. Forecast for 30 Nov: about $45.00, above the budget. It assumes $1.50 a day, the mean of the last 4 whole days; the cheapest and the most expensive of them give $7.00 to $84.00.',
    );
  });

  it.each([
    ['nothing', [], 'there are none yet'],
    ['today only', [sum('05', 2)], 'there are none yet'],
    ['one whole day', [sum('04', 2), sum('05', 2)], 'there is 1 so far'],
    ['two whole days', [sum('03', 2), sum('05', 2)], 'there are 2 so far'],
  ])('says that there is no forecast with %s', (_what, sums, words) => {
    const { forecast, sentence } = spendMonth(sums, null, now);
    expect(forecast).toBeNull();
    expect(sentence).toContain(`No forecast: it takes 3 whole days of spend, and ${words}.`);
  });

  it.each([
    [10, 'above the budget'],
    [50, 'within the budget unless days cost more'],
    [500, 'within the budget.'],
  ])('with a budget of $%i says where it leads: %s', (usd, words) => {
    const sums = [sum('01', 1), sum('02', 2), sum('04', 3), sum('05', 1)];
    expect(spendMonth(sums, usd * 1_000_000, now).sentence).toContain(words);
  });

  it('leaves out the days of the month before', () => {
    const before = { day: '2026-10-31', micros: 5_000_000 };
    expect(spendMonth([before, sum('01', 1)], null, now).monthMicros).toBe(1_000_000);
  });

  it('reads the week before today where the month has just begun', () => {
    expect(monthReadFrom(now).toISOString()).toBe('2026-10-29T00:00:00.000Z');
    expect(monthReadFrom(new Date('2026-11-21T12:00:00Z')).toISOString()).toBe(
      '2026-11-01T00:00:00.000Z',
    );
  });
});

it.each([
  ['one project', [5], 5, ''],
  ['each project', [5, 7], 12, ''],
  ['none of one', [null], null, 'No daily budget is set.'],
  [
    'one of three',
    [5, null, null],
    null,
    'No line for the daily budget: 2 of 3 projects have none.',
  ],
])('[PAG-2.1] the budget of %s', (_what, limits, limitMicros, absence) => {
  expect(joinBudgets(limits, 'daily')).toEqual({ limitMicros, absence });
});

const DAY_21 = new Date('2026-11-21T12:00:00Z');

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
  const forecast = forecastMonth(month, days, DAY_21);
  const found = forecast && [forecast.micros, forecast.lowMicros, forecast.highMicros];
  expect(found).toEqual(expected);
});

it('[PAG-2.1] on the last day of a month only the rest of that day is ahead', () => {
  const end = new Date('2026-11-30T20:00:00Z');
  expect(forecastMonth(300, [10, 10, 10, 6], end)).toMatchObject({ micros: 304, paceMicros: 10 });
});
