import type { PlotRange } from './buckets';

const DAY_MS = 86_400_000;

/**
 * Returns the range that plots start with when the address names none: 24 hours until there is
 * more than a day of data, then 7 days, so that a new installation doesn't open on empty columns.
 *
 * @param firstDataAt when the oldest chain was created; null without any
 */
export function defaultRange(
  firstDataAt: Date | null,
  now: Date,
): Extract<PlotRange, '24h' | '7d'> {
  if (firstDataAt === null) return '24h';
  return now.getTime() - firstDataAt.getTime() <= DAY_MS ? '24h' : '7d';
}
