import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatCost,
  formatCostExact,
  formatEstimatedCost,
  formatRunningCost,
  type MicroDollars,
} from './cost';
import {
  formatContextUse,
  formatCount,
  formatCounted,
  formatListCount,
  formatShare,
  formatTokens,
  formatTokensExact,
} from './count';
import { formatDuration, formatSpan, roughSpan } from './duration';
import {
  formatClock,
  formatFullTime,
  formatLogTime,
  formatMoment,
  formatRelativeTime,
} from './time';

describe('cost', () => {
  it.each<[MicroDollars | null, string]>([
    [30_000, '$0.03'],
    [2_500_000, '$2.50'],
    [1_204_100_000, '$1,204.10'],
    [12_345_670_000n, '$12,345.67'],
    [1_234_567_890_000n, '$1,234,567.89'],
    [4_100, '$0.0041'],
    [9_999, '$0.0100'],
    [10_000, '$0.01'],
    [14_999, '$0.01'],
    [15_000, '$0.02'],
    [999_999, '$1.00'],
    [100, '$0.0001'],
    [99, '<$0.0001'],
    [1, '<$0.0001'],
    [0, '$0.00'],
    [0n, '$0.00'],
    [null, '—'],
    [-30_000, '−$0.03'],
  ])('%s is %s', (micros, text) => {
    expect(formatCost(micros)).toBe(text);
  });

  it('[RES-5.2] a sum in micro-dollars is rounded once', () => {
    expect(formatCost(30_000 + 470_000 + 2_000_000)).toBe('$2.50');
    expect(formatCost(4_000 + 4_000 + 4_000)).toBe('$0.01');
  });

  it('shows all places in the tip', () => {
    expect(formatCostExact(2_503_118)).toBe('$2.503118');
    expect(formatCostExact(0)).toBe('$0.000000');
    expect(formatCostExact(null)).toBe('—');
  });

  it('marks what still runs and what is an estimate', () => {
    expect(formatRunningCost(120_000)).toBe('$0.12 so far');
    expect(formatEstimatedCost(120_000)).toBe('$0.12 est.');
    expect(formatRunningCost(null)).toBe('—');
    expect(formatEstimatedCost(null)).toBe('—');
  });

  it('formats numbers and big integers alike', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 50 }), (micros) => {
        expect(formatCost(micros)).toBe(formatCost(BigInt(micros)));
      }),
    );
  });
});

describe('tokens and shares', () => {
  it.each<[number | null, string]>([
    [0, '0'],
    [842, '842'],
    [999, '999'],
    [1_000, '1k'],
    [12_418, '12.4k'],
    [200_000, '200k'],
    [999_949, '999.9k'],
    [999_950, '1M'],
    [1_030_000, '1.03M'],
    [null, '—'],
  ])('%s tokens are %s', (tokens, text) => {
    expect(formatTokens(tokens)).toBe(text);
  });

  it.each<[number | null, number, string]>([
    [7, 100, '7%'],
    [4, 1_000, '0.4%'],
    [1, 100_000, '<0.1%'],
    [0, 100, '0%'],
    [949, 100_000, '0.9%'],
    [996, 100_000, '1%'],
    [3, 3, '100%'],
    [0, 0, '—'],
    [null, 3, '—'],
  ])('%s of %s is %s', (part, whole, text) => {
    expect(formatShare(part, whole)).toBe(text);
  });

  it('says how full a context is', () => {
    expect(formatContextUse(68_000, 200_000)).toBe('34% of 200k');
    expect(formatContextUse(null, 200_000)).toBe('—');
    expect(formatTokensExact(12_418)).toBe('12,418');
  });
});

describe('durations', () => {
  it.each<[number | null, string]>([
    [0, '0ms'],
    [840, '840ms'],
    [999.9, '999ms'],
    [4_200, '4.2s'],
    [9_999, '9.9s'],
    [47_000, '47s'],
    [59_999, '59s'],
    [192_000, '3m 12s'],
    [120_000, '2m 00s'],
    [7_500_000, '2h 05m'],
    [273_600_000, '3d 4h'],
    [-5, '0ms'],
    [null, '—'],
    [Number.NaN, '—'],
  ])('%s ms is %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it.each([
    [14_400, '4h'],
    [90, '1m 30s'],
    [604_800, '7d'],
    [0, '0s'],
  ])('a span of %i s is %s', (seconds, text) => {
    expect(formatSpan(seconds)).toBe(text);
  });

  it.each([
    [59, '59 s'],
    [100, '2 min'],
    [7_200, '2 h'],
    [172_799, '48 h'],
    [172_800, '2 days'],
    [40 * 86_400, '40 days'],
  ])('in a sentence, %i s are %s', (seconds, text) => {
    expect(roughSpan(seconds)).toBe(text);
  });
});

describe('times', () => {
  const now = new Date('2026-11-21T13:58:00Z');

  it.each([
    ['2026-11-21T13:57:51Z', 'just now'],
    ['2026-11-21T13:57:50Z', '10s ago'],
    ['2026-11-21T13:57:18Z', '42s ago'],
    ['2026-11-21T13:54:31Z', '3 min ago'],
    ['2026-11-21T11:58:00Z', '2 h ago'],
    ['2026-11-20T23:30:00Z', '14 h ago'],
    ['2026-11-20T22:30:00Z', 'yesterday 23:30'],
    ['2026-11-20T13:02:00Z', 'yesterday 14:02'],
    ['2026-11-12T13:02:00Z', '12 Nov 14:02'],
    ['2026-09-01T12:02:00Z', '1 Sep 14:02'],
    ['2025-11-12T13:02:00Z', '12 Nov 2025'],
    ['2026-11-21T13:58:05Z', 'just now'],
    ['2026-11-21T13:58:40Z', 'in 40s'],
    ['2026-11-21T14:10:00Z', 'in 12 min'],
    ['2026-11-21T16:58:00Z', 'in 3 h'],
    ['2026-11-25T08:00:00Z', '25 Nov 09:00'],
    ['2027-01-02T08:00:00Z', '2 Jan 2027'],
  ])('%s is %s in Berlin', (at, text) => {
    expect(formatRelativeTime(new Date(at), now, 'Europe/Berlin')).toBe(text);
  });

  it('hours count across midnight until they are two', () => {
    const midnight = new Date('2026-11-21T00:30:00Z');
    const earlier = (minutes: number) => new Date(midnight.getTime() - minutes * 60_000);
    expect(formatRelativeTime(earlier(90), midnight, 'UTC')).toBe('1 h ago');
    expect(formatRelativeTime(earlier(120), midnight, 'UTC')).toBe('yesterday 22:30');
  });

  it('says both zones in the tip, and one where they are the same', () => {
    const at = new Date('2026-11-21T13:02:31Z');
    expect(formatFullTime(at, 'Europe/Berlin')).toBe(
      'Sat 21 Nov 2026, 14:02:31 CET · 13:02:31 UTC',
    );
    expect(formatFullTime(at, 'UTC')).toBe('Sat 21 Nov 2026, 13:02:31 UTC');
  });

  it.each([
    ['Europe/London', 'GMT'],
    ['America/New_York', 'EST'],
    ['Australia/Sydney', 'AEDT'],
    ['Asia/Kolkata', 'IST'],
    ['Asia/Tokyo', 'GMT+9'],
  ])('names the zone %s by its short name where there is one', (zone, name) => {
    const text = formatFullTime(new Date('2026-11-21T13:02:31Z'), zone);
    expect(text).toMatch(new RegExp(` ${name.replace('+', '\\+')} · 13:02:31 UTC$`));
  });

  it('shows times of the log by clock and by offset', () => {
    const at = new Date('2026-11-21T13:02:31.482Z');
    expect(formatLogTime(at, 'Europe/Berlin')).toBe('14:02:31.482');
    expect(formatClock(at, 'UTC')).toBe('13:02');
  });

  it('a moment of another day has its date', () => {
    const now = new Date('2026-11-21T13:58:00Z');
    const moment = (at: string) => formatMoment(new Date(at), now, 'Europe/Berlin');
    expect(moment('2026-11-20T23:30:00Z')).toBe('00:30');
    expect(moment('2026-11-20T22:30:00Z')).toBe('20 Nov 23:30');
    expect(moment('2026-11-22T05:00:00Z')).toBe('22 Nov 06:00');
  });

  it('midnight is 00:00', () => {
    expect(formatClock(new Date('2026-11-21T00:00:00Z'), 'UTC')).toBe('00:00');
  });
});

describe('counts', () => {
  it('are grouped, and cut in lists', () => {
    expect(formatCount(1_204)).toBe('1,204');
    expect(formatCount(null)).toBe('—');
    expect(formatListCount(10_000)).toBe('10,000');
    expect(formatListCount(10_001)).toBe('10,000+');
    const turns = [1, 4, 1_204].map((count) => formatCounted(count, 'turn'));
    expect(turns).toEqual(['1 turn', '4 turns', '1,204 turns']);
    expect(formatCounted(2, 'person', 'people')).toBe('2 people');
  });
});
