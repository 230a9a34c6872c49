import { expect, it } from 'vitest';
import { fillBuckets, percentile, sumOf } from './frame';

it('a bucket without rows is what `make` says of none', () => {
  const rows = [
    { bucket: 2, n: 3 },
    { bucket: 0, n: 1 },
    { bucket: 2, n: 4 },
    { bucket: 9, n: 100 },
    { bucket: -1, n: 100 },
  ];
  const cells = fillBuckets(4, rows, (found) =>
    found.length > 0 ? sumOf(found, (row) => row.n) : null,
  );
  expect(cells).toEqual([1, null, 7, null]);
});

it.each([
  [[], 0.5, null],
  [[7], 0.95, 7],
  [[1, 2], 0.5, 1.5],
  [[40, 10, 30, 20], 0.5, 25],
  [[10, 20, 30, 40, 50], 0.95, 48],
  [[3, 1, 2], 0, 1],
  [[3, 1, 2], 1, 3],
])('the percentile of %j at %d is %s', (values, share, result) => {
  expect(percentile(values, share)).toBe(result);
});
