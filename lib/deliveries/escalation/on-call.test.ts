import { describe, expect, it } from 'vitest';
import { WEEKDAYS } from '../weekdays';
import { onCallAt, onCallNow, type Schedule } from './on-call';
import type { Shift } from './schema';

function shift(name: string, days: Shift['days'], from: string, to: string): Shift {
  return { name, days, from, to, channelIds: [name] };
}

const WEEK: Shift['days'] = ['mon', 'tue', 'wed', 'thu', 'fri'];
const ALL = [...WEEKDAYS];
const BERLIN = 'Europe/Berlin';
const FULL: Schedule = {
  timeZone: BERLIN,
  shifts: [shift('Ana', ALL, '08:00', '20:00'), shift('Ben', ALL, '20:00', '08:00')],
};
const OFFICE: Schedule = { timeZone: BERLIN, shifts: [shift('Ana', WEEK, '09:00', '17:00')] };
/** Changes hands at 02:30, which comes twice, or not at all, when clocks are changed. */
const SPLIT: Schedule = {
  timeZone: BERLIN,
  shifts: [shift('Ana', ALL, '14:30', '02:30'), shift('Ben', ALL, '02:30', '14:30')],
};

const names = (shifts: readonly Shift[]) => shifts.map(({ name }) => name).join('+') || 'gap';

describe('[INC-2.2] who is on call', () => {
  it.each<[string, Schedule, string, string]>([
    ['in the day', FULL, '2026-11-26T07:00Z', 'Ana'],
    ['at the hour', FULL, '2026-11-26T19:00Z', 'Ben'],
    ['after midnight', FULL, '2026-11-26T03:00Z', 'Ben'],
    ['in office hours', OFFICE, '2026-11-26T08:00Z', 'Ana'],
    ['in the evening', OFFICE, '2026-11-26T16:00Z', 'gap'],
    ['on a Sunday', OFFICE, '2026-11-29T10:00Z', 'gap'],
    [
      'everyone whose shift it is',
      { ...FULL, shifts: [...FULL.shifts, shift('Cleo', ['thu'], '10:00', '12:00')] },
      '2026-11-26T10:00Z',
      'Ana+Cleo',
    ],
    // 29 March 2026: 02:00 to 03:00. 02:30 is skipped, so the change is at 03:30.
    ['before a change that clocks skip', SPLIT, '2026-03-29T01:29Z', 'Ana'],
    ['after a change that clocks skip', SPLIT, '2026-03-29T01:30Z', 'Ben'],
    // 25 October 2026: 03:00 back to 02:00. The change is at the first 02:30.
    ['before the first of two', SPLIT, '2026-10-25T00:29Z', 'Ana'],
    ['after the first of two', SPLIT, '2026-10-25T00:30Z', 'Ben'],
    ['before the second of two', SPLIT, '2026-10-25T01:10Z', 'Ben'],
  ])('%s', (_, schedule, at, expected) => {
    expect(names(onCallAt(schedule, new Date(at)))).toBe(expected);
  });

  it.each<[string, Schedule, string, string]>([
    [
      'next after a gap',
      OFFICE,
      '2026-11-26T16:30Z',
      'gap 2026-11-26T16:00 to 2026-11-27T08:00, then Ana to 2026-11-27T16:00',
    ],
    [
      'a gap of a weekend',
      OFFICE,
      '2026-11-27T12:00Z',
      'Ana 2026-11-27T08:00 to 2026-11-27T16:00, then gap to 2026-11-30T08:00',
    ],
    [
      'a night that gains an hour',
      FULL,
      '2026-10-24T20:00Z',
      'Ben 2026-10-24T18:00 to 2026-10-25T07:00, then Ana to 2026-10-25T19:00',
    ],
    [
      'one shift after the other of one person is one',
      {
        timeZone: 'UTC',
        shifts: [
          shift('Ana', ALL, '00:00', '12:00'),
          shift('Ana', ALL, '12:00', '18:00'),
          shift('Ben', ALL, '18:00', '00:00'),
        ],
      },
      '2026-11-26T01:00Z',
      'Ana 2026-11-26T00:00 to 2026-11-26T18:00, then Ben to 2026-11-27T00:00',
    ],
  ])('%s', (_, schedule, at, expected) => {
    const { now, next } = onCallNow(schedule, new Date(at));
    const minute = (date: Date | null | undefined) => date?.toISOString().slice(0, 16) ?? 'never';
    expect(
      `${names(now.shifts)} ${minute(now.from)} to ${minute(now.until)}, then ${next ? names(next.shifts) : 'nobody else'} to ${minute(next?.until)}`,
    ).toBe(expected);
  });

  it('says that it doesn’t change', () => {
    const always = { timeZone: 'UTC', shifts: [shift('Ana', ALL, '00:00', '00:00')] };
    const { now, next } = onCallNow(always, new Date('2026-11-26T01:00Z'));
    expect([names(now.shifts), now.until, next]).toEqual(['Ana', null, null]);
  });

  it.each<[string, Schedule, boolean]>([
    ['day and night', FULL, false],
    ['office hours', OFFICE, true],
    ['changed clocks', SPLIT, false],
  ])('%s: %#', (_, schedule, expected) => {
    expect(onCallNow(schedule, new Date('2026-10-24T12:00Z')).hasGaps).toBe(expected);
    expect(onCallNow(schedule, new Date('2026-03-28T12:00Z')).hasGaps).toBe(expected);
  });
});
