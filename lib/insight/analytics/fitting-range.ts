import type { PlotRange } from './buckets';

const HOUR_MS = 3_600_000;

/** Shortest first. */
const HOURS: readonly [PlotRange, number][] = [
  ['24h', 24],
  ['7d', 7 * 24],
  ['30d', 30 * 24],
];

/**
 * Returns the shortest range that shows everything since the first data, and at most `longest`:
 * plots of the first day have hours for columns instead of six empty days and one bar.
 */
export function rangeThatFits(firstAt: Date | null, now: Date, longest: PlotRange): PlotRange {
  const ageHours = firstAt ? (now.getTime() - firstAt.getTime()) / HOUR_MS : 0;
  const most = HOURS.find(([range]) => range === longest)?.[1] ?? Infinity;
  return HOURS.find(([, hours]) => hours <= most && ageHours < hours)?.[0] ?? longest;
}
