/** Time cut into the columns of a plot: on the clocks and calendar of the reader's zone. */
import { instantShowing, shownAt } from '@/lib/platform/format/time-zone';

export const PLOT_RANGES = ['24h', '7d', '30d', '90d'] as const;
export type PlotRange = (typeof PLOT_RANGES)[number];

/** Two moments, the second not included. */
interface TimeSpan {
  from: Date;
  to: Date;
}

/** What a page of plots is of: the newest so much, or a span that was chosen. */
export type PlotSpan = PlotRange | TimeSpan;

export type BucketSize = 'hour' | 'day' | 'week';

const SHAPES: Record<PlotRange, { size: BucketSize; count: number }> = {
  '24h': { size: 'hour', count: 24 },
  '7d': { size: 'day', count: 7 },
  '30d': { size: 'day', count: 30 },
  '90d': { size: 'week', count: 13 },
};

export interface Bucket {
  startAt: Date;
  /** The start of the next one; may lie ahead. */
  endAt: Date;
  /** Not over yet: what it shows is "so far". */
  isCurrent: boolean;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = 7;

/** As many columns as a plot can hold side by side. */
const MAX_BUCKETS = 60;

/** Columns that a span has at most, whatever it begins with: one more where it begins in the middle. */
export const MAX_WEEKS = MAX_BUCKETS - 1;

/** Up to two days by the hour, up to 59 days by the day. */
export function bucketSizeOf(span: PlotSpan): BucketSize {
  if (typeof span === 'string') return SHAPES[span].size;
  const lengthMs = span.to.getTime() - span.from.getTime();
  return lengthMs <= 2 * DAY_MS ? 'hour' : lengthMs <= (MAX_BUCKETS - 1) * DAY_MS ? 'day' : 'week';
}

/**
 * Oldest first; of a range the current one last. A span is rounded to whole buckets, and ends with
 * the current one at the latest; of one that is too long the newest weeks are left. A day of a clock change has 23 or 25 hours, and weeks begin on
 * Monday; `timeZone` is an IANA name.
 */
export function bucketsOf(span: PlotSpan, now: Date, timeZone: string): Bucket[] {
  const starts = typeof span === 'string' ? rangeStarts(span) : spanStarts(span);
  return starts.slice(0, -1).map((startAt, index) => {
    const endAt = starts[index + 1] ?? now;
    return { startAt, endAt, isCurrent: startAt <= now && now < endAt };
  });

  // Both give one start more than there are buckets: the last one's end.
  function rangeStarts(range: PlotRange): Date[] {
    const { size, count } = SHAPES[range];
    return Array.from({ length: count + 1 }, (_, index) =>
      startOf(size, now, timeZone, index + 1 - count),
    );
  }

  function spanStarts({ from, to }: TimeSpan): Date[] {
    const size = bucketSizeOf({ from, to });
    const end = to < now ? to : now;
    const longest = new Date(end.getTime() - MAX_WEEKS * WEEK_DAYS * DAY_MS);
    const begin = from < longest ? longest : from;
    const first = begin < now ? begin : now;
    const found = [startOf(size, first, timeZone, 0)];
    for (let offset = 1; offset <= MAX_BUCKETS; offset += 1) {
      found.push(startOf(size, first, timeZone, offset));
      if ((found.at(-1) ?? end) >= end) break;
    }
    return found;
  }
}

/** The start of the hour, day or week that lies `offset` of them from the one of `now`. */
function startOf(size: BucketSize, now: Date, timeZone: string, offset: number): Date {
  const shown = shownAt(now, timeZone);
  if (size === 'hour') {
    const past = (shown % HOUR_MS) + now.getUTCMilliseconds();
    return new Date(now.getTime() - past + offset * HOUR_MS);
  }
  const midnight = shown - (shown % DAY_MS);
  const weekday = (new Date(midnight).getUTCDay() + 6) % 7;
  const days = size === 'day' ? offset : offset * WEEK_DAYS - weekday;
  return instantShowing(midnight + days * DAY_MS, timeZone);
}

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
