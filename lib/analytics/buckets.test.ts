import { describe, expect, it } from 'vitest';
import { bucketsOf, type PlotRange } from './buckets';

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
