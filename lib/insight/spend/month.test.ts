import { describe, expect, it } from 'vitest';
import { joinBudgets, monthPlot, monthReadFrom } from './month';

const now = new Date('2026-11-05T12:00:00Z');
const sum = (day: string, usd: number) => ({ day: `2026-11-${day}`, micros: usd * 1_000_000 });

describe('[PAG-2.1] the month against its budget', () => {
  it('adds up day by day, and the forecast stands on what is known', () => {
    const sums = [sum('01', 1), sum('02', 2), sum('04', 3), sum('05', 1)];
    const { days, monthMicros, forecast, caption } = monthPlot(sums, 30_000_000, now);
    expect(days).toHaveLength(30);
    expect(days.slice(0, 6).map((day) => day.soFarMicros)).toEqual([
      1_000_000,
      3_000_000,
      3_000_000,
      6_000_000,
      7_000_000,
      null,
    ]);
    expect(monthMicros).toBe(7_000_000);
    // (1 + 2 + 0 + 3) / 4 = 1.50 a day, of which $0.50 is left for today.
    expect(days.slice(4, 7).map((day) => day.aheadMicros)).toEqual([
      500_000, 9_000_000, 10_500_000,
    ]);
    expect(days.at(-1)?.aheadMicros).toBe(forecast?.micros);
    expect(caption).toBe(
      '$7.00 so far in November, 23% of the $30.00 budget. Forecast for 30 Nov: about $45.00, above the budget. It assumes $1.50 a day, the mean of the last 4 whole days; the cheapest and the most expensive of them give $7.00 to $84.00.',
    );
  });

  it.each([
    ['nothing', [], 'there are none yet'],
    ['today only', [sum('05', 2)], 'there are none yet'],
    ['one whole day', [sum('04', 2), sum('05', 2)], 'there is 1 so far'],
    ['two whole days', [sum('03', 2), sum('05', 2)], 'there are 2 so far'],
  ])('says that there is no forecast with %s', (_what, sums, words) => {
    const { forecast, days, caption } = monthPlot(sums, null, now);
    expect(forecast).toBeNull();
    expect(days.every((day) => day.aheadMicros === null)).toBe(true);
    expect(caption).toContain(`No forecast: it takes 3 whole days of spend, and ${words}.`);
  });

  it.each([
    [10, 'above the budget'],
    [50, 'within the budget unless days cost more'],
    [500, 'within the budget.'],
  ])('with a budget of $%i says where it leads: %s', (usd, words) => {
    const sums = [sum('01', 1), sum('02', 2), sum('04', 3), sum('05', 1)];
    expect(monthPlot(sums, usd * 1_000_000, now).caption).toContain(words);
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
