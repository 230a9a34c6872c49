import { describe, expect, it } from 'vitest';
import { bucketsOf, type PlotRange, rangeThatFits } from './buckets';

const starts = (range: PlotRange, now: string, zone: string) =>
  bucketsOf(range, new Date(now), zone).map(({ startAt }) => startAt.toISOString());
const hoursOf = (range: PlotRange, now: string, zone: string) =>
  bucketsOf(range, new Date(now), zone).map(
    ({ startAt, endAt }) => (endAt.getTime() - startAt.getTime()) / 3_600_000,
  );

describe('the buckets of a range', () => {
  it.each<[PlotRange, number]>([
    ['24h', 24],
    ['7d', 7],
    ['30d', 30],
    ['90d', 13],
  ])('%s has %i, the last of them current, without a gap', (range, count) => {
    const buckets = bucketsOf(range, new Date('2026-11-21T14:58:00Z'), 'Europe/Berlin');
    expect(buckets).toHaveLength(count);
    expect(buckets.filter((bucket) => bucket.isCurrent)).toEqual([buckets.at(-1)]);
    for (const [index, bucket] of buckets.slice(1).entries()) {
      expect(bucket.startAt).toEqual(buckets[index]?.endAt);
    }
  });

  it('hours begin when the minutes of the zone are zero', () => {
    expect(starts('24h', '2026-11-21T14:58:31.250Z', 'Asia/Kolkata').at(-1)).toBe(
      '2026-11-21T14:30:00.000Z',
    );
    expect(starts('24h', '2026-11-21T14:58:31.250Z', 'UTC').at(-1)).toBe(
      '2026-11-21T14:00:00.000Z',
    );
  });

  it('days begin at the midnight of the zone', () => {
    expect(starts('7d', '2026-11-21T23:30:00Z', 'Europe/Berlin').at(-1)).toBe(
      '2026-11-21T23:00:00.000Z',
    );
    expect(starts('7d', '2026-11-21T02:00:00Z', 'America/New_York')[0]).toBe(
      '2026-11-14T05:00:00.000Z',
    );
  });

  it('weeks begin on Monday', () => {
    expect(starts('90d', '2026-11-22T12:00:00Z', 'UTC').slice(-2)).toEqual([
      '2026-11-09T00:00:00.000Z',
      '2026-11-16T00:00:00.000Z',
    ]);
  });

  it.each([
    ['Europe/Berlin loses an hour', '2026-03-31T12:00:00Z', 'Europe/Berlin', 23],
    ['Europe/Berlin gains one', '2026-10-27T12:00:00Z', 'Europe/Berlin', 25],
    ['New York loses one', '2026-03-10T12:00:00Z', 'America/New_York', 23],
    ['in Cairo midnight itself is skipped', '2026-04-27T12:00:00Z', 'Africa/Cairo', 23],
    ['in Cairo the last hour of the day comes twice', '2026-10-31T12:00:00Z', 'Africa/Cairo', 25],
    ['in Havana midnight comes twice', '2026-11-03T12:00:00Z', 'America/Havana', 25],
  ])('%s: that day is of %s', (_what, now, zone, hours) => {
    expect(hoursOf('7d', now, zone).filter((each) => each !== 24)).toEqual([hours]);
  });

  it('a repeated hour is two buckets', () => {
    const found = starts('24h', '2026-10-25T03:10:00Z', 'Europe/Berlin').slice(-3);
    expect(found).toEqual([
      '2026-10-25T01:00:00.000Z',
      '2026-10-25T02:00:00.000Z',
      '2026-10-25T03:00:00.000Z',
    ]);
  });
});

describe('the buckets of a span', () => {
  const now = new Date('2026-11-21T14:58:00Z');
  const between = (from: string, to: string, zone = 'UTC') =>
    bucketsOf({ from: new Date(from), to: new Date(to) }, now, zone);

  it.each([
    ['three hours', '2026-11-20T10:00Z', '2026-11-20T13:00Z', 3, '2026-11-20T10:00Z'],
    ['rounded to whole hours', '2026-11-20T10:20Z', '2026-11-20T12:01Z', 3, '2026-11-20T10:00Z'],
    ['two days by the hour', '2026-11-18T00:00Z', '2026-11-20T00:00Z', 48, '2026-11-18T00:00Z'],
    ['three days by the day', '2026-11-17T00:00Z', '2026-11-20T00:00Z', 3, '2026-11-17T00:00Z'],
    ['59 days by the day', '2026-09-01T00:00Z', '2026-10-30T00:00Z', 59, '2026-09-01T00:00Z'],
    ['59 days from noon on', '2026-09-01T12:00Z', '2026-10-30T12:00Z', 60, '2026-09-01T00:00Z'],
    ['60 days by the week', '2026-08-31T00:00Z', '2026-10-30T00:00Z', 9, '2026-08-31T00:00Z'],
    ['70 days by the week', '2026-08-31T00:00Z', '2026-11-09T00:00Z', 10, '2026-08-31T00:00Z'],
    ['the newest that fit', '2020-01-06T00:00Z', '2026-11-20T00:00Z', 60, '2025-09-29T00:00Z'],
    ['nothing ahead of now', '2026-11-21T13:00Z', '2026-11-22T00:00Z', 2, '2026-11-21T13:00Z'],
    ['all of it ahead', '2026-12-01T00:00Z', '2026-12-01T05:00Z', 1, '2026-11-21T14:00Z'],
  ])('%s', (_what, from, to, count, first) => {
    const buckets = between(from, to);
    expect(buckets).toHaveLength(count);
    expect(buckets[0]?.startAt).toEqual(new Date(first));
    for (const [index, bucket] of buckets.slice(1).entries()) {
      expect(bucket.startAt).toEqual(buckets[index]?.endAt);
    }
  });

  it('only the bucket of now is current, and days are those of the zone', () => {
    const days = between('2026-11-17T23:00Z', '2026-11-21T23:00Z', 'Europe/Berlin');
    expect(days.map(({ isCurrent }) => isCurrent)).toEqual([false, false, false, true]);
    expect(days[0]?.startAt).toEqual(new Date('2026-11-17T23:00Z'));
    expect(between('2026-11-17T00:00Z', '2026-11-20T00:00Z').some((day) => day.isCurrent)).toBe(
      false,
    );
  });
});

const AFTERNOON = new Date('2026-11-21T14:58:00Z');

it.each([
  [null, '7d', '24h'],
  ['2026-11-21T13:00:00Z', '7d', '24h'],
  ['2026-11-20T15:00:00Z', '7d', '24h'],
  ['2026-11-20T14:00:00Z', '7d', '7d'],
  ['2026-10-01T00:00:00Z', '7d', '7d'],
  ['2026-11-20T14:00:00Z', '30d', '7d'],
  ['2026-11-10T14:00:00Z', '30d', '30d'],
  ['2026-01-01T00:00:00Z', '30d', '30d'],
] as const)(
  '[PAG-2.1] the plots of data since %s show at most %s, so they start with %s',
  (firstAt, longest, range) => {
    expect(rangeThatFits(firstAt === null ? null : new Date(firstAt), AFTERNOON, longest)).toBe(
      range,
    );
  },
);
