import { expect, it } from 'vitest';
import { fillBuckets, sumOf } from './frame';

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
