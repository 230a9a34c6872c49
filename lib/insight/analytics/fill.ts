/** A row of an aggregation: which column of the plot it belongs to, counted from 0. */
export interface InBucket {
  bucket: number;
}

/**
 * One cell a bucket. `make` sees the rows of its bucket, which may be none, and answers null
 * where nothing is known: that is a gap and not a zero. Rows outside of the plot are left out.
 */
export function fillBuckets<Row extends InBucket, Cell>(
  count: number,
  rows: readonly Row[],
  make: (rows: readonly Row[], bucket: number) => Cell,
): Cell[] {
  const byBucket = Array.from({ length: count }, (): Row[] => []);
  for (const row of rows) byBucket[row.bucket]?.push(row);
  return byBucket.map(make);
}

export function sumOf<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
