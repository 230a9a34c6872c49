import type { z } from 'zod';
import type { chainOutcomeSchema } from '@/lib/engine/statuses';
import type { Bucket, BucketSize } from './buckets';

export interface BucketLabel {
  /** Under the axis: `14:00`, `21 Nov`. */
  short: string;
  /** In the table and the tip: `21 Nov, 14:00–15:00`, `Sat 21 Nov`, `16–22 Nov`. */
  long: string;
}

const SIZE_WORDS: Record<BucketSize, string> = {
  hour: 'by hour',
  day: 'by day',
  week: 'by week from Monday',
};

/** `by day, Europe/Berlin`: what a column stands for. */
export function bucketWords(size: BucketSize, timeZone: string): string {
  return `${SIZE_WORDS[size]}, ${timeZone}`;
}

/** `from 18 Nov 14:00 to 19 Nov 02:00`, `from 18 Nov to 20 Nov`: the buckets as one span. */
export function spanWords(buckets: readonly Bucket[], size: BucketSize, timeZone: string): string {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (!first || !last) return '';
  const { words, clock } = wordsIn(timeZone);
  if (size === 'hour') {
    const moment = (at: Date) => `${words(at)} ${clock.format(at)}`;
    return `from ${moment(first.startAt)} to ${moment(last.endAt)}`;
  }
  // The last day itself, not the midnight after it.
  return `from ${words(first.startAt)} to ${words(new Date(last.endAt.getTime() - 1))}`;
}

export function labelsOf(
  buckets: readonly Bucket[],
  size: BucketSize,
  timeZone: string,
): BucketLabel[] {
  const { clock, dayOf, words } = wordsIn(timeZone);
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' });
  return buckets.map(({ startAt, endAt }) => {
    if (size === 'hour') {
      const from = clock.format(startAt);
      return { short: from, long: `${words(startAt)}, ${from}–${clock.format(endAt)}` };
    }
    if (size === 'day') {
      return { short: words(startAt), long: `${weekday.format(startAt)} ${words(startAt)}` };
    }
    const last = new Date(endAt.getTime() - 1);
    const [from, to] = [dayOf(startAt), dayOf(last)];
    const long =
      from.month === to.month ? `${from.day}–${words(last)}` : `${words(startAt)} – ${words(last)}`;
    return { short: words(startAt), long };
  });
}

/** How the clocks and calendars of the zone are written. */
function wordsIn(timeZone: string) {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const day = new Intl.DateTimeFormat('en-GB', { timeZone, day: 'numeric', month: 'short' });
  const dayOf = (at: Date) => {
    const parts = new Map(day.formatToParts(at).map(({ type, value }) => [type, value]));
    // "Sept" is the only month that British English shortens to four letters.
    return { day: parts.get('day') ?? '', month: (parts.get('month') ?? '').slice(0, 3) };
  };
  return { clock, dayOf, words: (at: Date) => Object.values(dayOf(at)).join(' ') };
}

export type ChainOutcome = z.infer<typeof chainOutcomeSchema>;
