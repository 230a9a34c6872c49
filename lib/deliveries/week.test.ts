import { describe, expect, it } from 'vitest';
import { endOfCurrent, type Weekly, weeklyFields } from './week';
import { WEEKDAYS } from './weekdays';

const NIGHT: Weekly = { days: [...WEEKDAYS], from: '22:00', to: '07:00' };
const OFFICE: Weekly = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '09:00', to: '17:00' };
const EARLY: Weekly = { days: ['sun'], from: '01:30', to: '02:30' };
const SATURDAY: Weekly = { days: ['sat'], from: '00:00', to: '00:00' };
const BERLIN = 'Europe/Berlin';

describe('[INC-2.2] when something that comes back every week ends', () => {
  it.each<[string, Weekly, string, string, string | null]>([
    ['before midnight', NIGHT, 'UTC', '2026-11-26T23:00Z', '2026-11-27T07:00:00.000Z'],
    ['after midnight', NIGHT, 'UTC', '2026-11-27T06:59Z', '2026-11-27T07:00:00.000Z'],
    ['at its end', NIGHT, 'UTC', '2026-11-27T07:00Z', null],
    ['at its start', NIGHT, 'UTC', '2026-11-27T22:00Z', '2026-11-28T07:00:00.000Z'],
    ['on a weekday', OFFICE, 'UTC', '2026-11-26T09:00Z', '2026-11-26T17:00:00.000Z'],
    ['on a Saturday', OFFICE, 'UTC', '2026-11-28T12:00Z', null],
    [
      'in another zone',
      OFFICE,
      'America/New_York',
      '2026-11-26T21:59Z',
      '2026-11-26T22:00:00.000Z',
    ],
    [
      'a night that began on Friday',
      { ...NIGHT, days: ['fri'] },
      'UTC',
      '2026-11-28T03:00Z',
      '2026-11-28T07:00:00.000Z',
    ],
    [
      'a night that would begin on Thursday',
      { ...NIGHT, days: ['fri'] },
      'UTC',
      '2026-11-27T03:00Z',
      null,
    ],
    ['a whole day', SATURDAY, 'UTC', '2026-11-28T23:59Z', '2026-11-29T00:00:00.000Z'],
    [
      'a zone that is a day ahead',
      { ...OFFICE, days: ['fri'] },
      'Pacific/Auckland',
      '2026-11-26T20:30Z',
      '2026-11-27T04:00:00.000Z',
    ],
    // Clocks go from 02:00 to 03:00 on 29 March 2026 in Berlin.
    ['a night that loses an hour', NIGHT, BERLIN, '2026-03-28T23:00Z', '2026-03-29T05:00:00.000Z'],
    ['an end that clocks skip', EARLY, BERLIN, '2026-03-29T01:10Z', '2026-03-29T01:30:00.000Z'],
    ['after an end that clocks skip', EARLY, BERLIN, '2026-03-29T01:30Z', null],
    // Clocks go from 03:00 back to 02:00 on 25 October 2026.
    ['a night that gains an hour', NIGHT, BERLIN, '2026-10-24T21:00Z', '2026-10-25T06:00:00.000Z'],
    ['the first 02:30 of two', EARLY, BERLIN, '2026-10-25T00:29Z', '2026-10-25T00:30:00.000Z'],
    ['the second 02:10 of two', EARLY, BERLIN, '2026-10-25T01:10Z', null],
  ])('%s', (_, weekly, timeZone, now, end) => {
    expect(endOfCurrent(weekly, timeZone, new Date(now))?.toISOString() ?? null).toBe(end);
  });
});

it.each(['24:00', '9:00', '09:60', 'noon'])('[INC-2.2] %j is not a time of day', (text) => {
  expect(weeklyFields.from.safeParse(text).success).toBe(false);
});

it('[INC-2.2] days are in the order of the week, each once', () => {
  expect(weeklyFields.days.parse(['sun', 'mon', 'sun'])).toEqual(['mon', 'sun']);
});
