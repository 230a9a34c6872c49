import { describe, expect, it } from 'vitest';
import { GROWTH_MS, isDrained, isGrowing } from './queue-growth';

const now = new Date('2026-11-26T03:00:00Z');
const MINUTE = 60_000;

/** One a minute, the last one now. */
function samples(counts: readonly number[]) {
  return counts.map((waiting, index) => ({
    at: new Date(now.getTime() - (counts.length - 1 - index) * MINUTE),
    waiting,
  }));
}
const minutes = GROWTH_MS / MINUTE;
const rising = Array.from({ length: minutes + 1 }, (_, minute) => 10 + 5 * minute);
const OLD = 6 * MINUTE;

describe('[INC-4.1] a queue', () => {
  it.each<[boolean, string, number[], number]>([
    [true, 'that rises through a quarter of an hour', rising, OLD],
    [true, 'that rises with small dips', rising.map((count, at) => count - (at % 2) * 8), OLD],
    [false, 'that is worked off as fast as it fills', rising, MINUTE],
    [
      false,
      'with a peak that falls again',
      [...rising.slice(0, 8), ...rising.slice(0, 8).toReversed()],
      OLD,
    ],
    [false, 'that stays long', rising.map(() => 500), OLD],
    [false, 'that rises from nothing to little', rising.map((_, at) => at), OLD],
    [false, 'that has been measured for five minutes', rising.slice(-5), OLD],
    [
      false,
      'that is emptied now and then',
      rising.map((count, at) => (at % 6 === 5 ? 0 : count)),
      OLD,
    ],
    [false, 'that was never measured', [], 0],
  ])('grows: %s, %s', (expected, _which, counts, oldestMs) => {
    expect(isGrowing(samples(counts), oldestMs)).toBe(expected);
  });

  it('that rose more than a quarter of an hour ago doesn’t grow', () => {
    const early = samples(rising).map(({ at, waiting }) => ({
      at: new Date(at.getTime() - 2 * GROWTH_MS),
      waiting,
    }));
    expect(isGrowing([...early, { at: now, waiting: 100 }], OLD)).toBe(false);
  });

  it.each<[boolean, string, number[], number]>([
    [true, 'with little waiting', [100, 19], OLD],
    [true, 'whose oldest work is recent', [100, 200], MINUTE],
    [true, 'that has shrunk', [200, 190], OLD],
    [false, 'that stays as long', [200, 200], OLD],
    [false, 'that grows', rising, OLD],
  ])('is worked off: %s, %s', (expected, _which, counts, oldestMs) => {
    expect(isDrained(samples(counts), oldestMs)).toBe(expected);
  });
});
