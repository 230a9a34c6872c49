/**
 * The value below which a share of them lies, between two of them by their distance: what
 * PostgreSQL's percentile_cont answers. Null for none.
 */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  return below + (above - below) * (position - Math.floor(position));
}
