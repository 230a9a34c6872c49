import { describe, expect, it } from 'vitest';
import { niceTicks } from './ticks';

describe('an axis from zero', () => {
  it.each<[number, boolean, number[]]>([
    [0, true, [0, 1]],
    [1, true, [0, 1]],
    [3, true, [0, 1, 2, 3]],
    [7, true, [0, 2, 4, 6, 8]],
    [10, true, [0, 5, 10]],
    [143, true, [0, 50, 100, 150]],
    [0.1, false, [0, 0.025, 0.05, 0.075, 0.1]],
    [12.4, false, [0, 5, 10, 15]],
  ])('up to %d, whole: %s', (max, isWhole, ticks) => {
    expect(niceTicks(max, isWhole)).toEqual(ticks);
  });

  it('has at most five lines', () => {
    for (let max = 0.013; max < 50_000; max *= 1.3) {
      const ticks = niceTicks(max, false);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max);
    }
  });
});
