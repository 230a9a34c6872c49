/** What every file of tests/bench/ prints, and how its figures are written. */

/** The whole table of the design instead of a size that is done in a minute. */
export const isFull = process.argv.includes('--full');

/** The nearest rank: one of the values, never something between two of them. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  const value = sorted[rank - 1];
  if (value === undefined) throw new Error('There is nothing to take a quantile of.');
  return value;
}

export const inMs = (value: number) => `${Math.round(value)} ms`;

export const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

export function spread(values: readonly number[]): string {
  return `p50 ${inMs(quantile(values, 0.5))}, p95 ${inMs(quantile(values, 0.95))}`;
}

/** The last line of a bench, which scripts/bench.mjs reads. */
export function printResult(result: {
  title: string;
  target: string;
  figures: Record<string, string>;
}): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
