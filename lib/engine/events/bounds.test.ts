import { describe, expect, it } from 'vitest';
import { boundedEvent, boundedTime, clockText, lateRefusal } from './bounds';

const claimedAt = new Date('2026-11-27T12:00:00Z');
const now = new Date('2026-11-27T12:10:00Z');

describe('[SEC-2.2] the time of an event', () => {
  it.each([
    ['within the attempt', '2026-11-27T12:05:00Z', '2026-11-27T12:05:00Z', null],
    ['a little before the claim', '2026-11-27T11:59:30Z', '2026-11-27T11:59:30Z', null],
    ['an hour ahead', '2026-11-27T13:10:00Z', '2026-11-27T12:10:00Z', 3_600],
    ['an hour behind', '2026-11-27T11:00:00Z', '2026-11-27T12:00:00Z', -3_600],
    ['of 1970', '1970-01-01T00:00:00Z', '2026-11-27T12:00:00Z', -1_795_780_800],
    ['of 2099', '2099-01-01T00:00:00Z', '2026-11-27T12:10:00Z', 2_000_000_000],
  ])('%s', (_title, at, stored, offSeconds) => {
    const bounded = boundedTime(new Date(at), claimedAt, now);
    expect(bounded).toEqual({ at: new Date(stored), offSeconds });
  });

  it.each([
    [-90, '90 s behind'],
    [3_600, '60 min ahead'],
    [-7_200, '2 h behind'],
    [2_000_000_000, '23148 days ahead'],
  ])('off by %i s is %s', (seconds, text) => {
    expect(clockText(seconds)).toBe(text);
  });
});

it('[SEC-2.2] an event of more than 600,000 bytes is left out', () => {
  const text = (length: number) => ({ kind: 'stderr', text: 'x'.repeat(length) }) as const;
  expect(boundedEvent(text(500_000)).event.kind).toBe('stderr');
  expect(boundedEvent(text(600_001)).event).toMatchObject({ code: 'EVENT_LEFT_OUT' });
});

describe('[SEC-2.2] after the end of an attempt', () => {
  const ended = { endedAt: claimedAt, lateEvents: 99_999, lateBytes: 63_999_900 };
  const hours = (count: number) => new Date(claimedAt.getTime() + count * 3_600_000);

  it.each([
    ['one that runs', { ...ended, endedAt: null }, { events: 9, bytes: 9_000 }, hours(99), null],
    ['in time', ended, { events: 1, bytes: 100 }, hours(72), null],
    ['too late', ended, { events: 1, bytes: 100 }, hours(73), 'more than 72 hours'],
    ['too many', ended, { events: 2, bytes: 10 }, hours(1), '100000 events'],
    ['too much', ended, { events: 1, bytes: 101 }, hours(1), '64000000 bytes'],
  ])('%s', (_title, attempt, more, at, expected) => {
    const refusal = lateRefusal(attempt, more, at);
    if (expected === null) expect(refusal).toBeNull();
    else expect(refusal).toContain(expected);
  });
});
