import { expect, it } from 'vitest';
import { percentile } from './frame';

it.each([
  [[], 0.5, null],
  [[7], 0.95, 7],
  [[1, 2], 0.5, 1.5],
  [[40, 10, 30, 20], 0.5, 25],
  [[10, 20, 30, 40, 50], 0.95, 48],
  [[3, 1, 2], 0, 1],
  [[3, 1, 2], 1, 3],
])('of %j at %d is %s', (values, share, result) => {
  expect(percentile(values, share)).toBe(result);
});
