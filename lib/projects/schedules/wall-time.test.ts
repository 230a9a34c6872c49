import { expect, it } from 'vitest';
import { instantOf } from './next-run';

it.each([
  ['2026-12-01T22:00', 'UTC', '2026-12-01T22:00:00.000Z'],
  ['2026-12-01T22:00', 'Europe/Berlin', '2026-12-01T21:00:00.000Z'],
  ['2026-07-01T22:00', 'Europe/Berlin', '2026-07-01T20:00:00.000Z'],
  ['2026-12-01T22:00', 'Asia/Kolkata', '2026-12-01T16:30:00.000Z'],
  ['2026-12-31T20:00', 'America/Los_Angeles', '2027-01-01T04:00:00.000Z'],
  // Clocks go from 02:00 to 03:00: half past two comes as half past three.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  // Clocks go back from 03:00 to 02:00: the first half past two.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:30', 'Europe/Berlin', '2026-10-25T02:30:00.000Z'],
])('%s in %s is %s', (wallTime, timeZone, instant) => {
  expect(instantOf(wallTime, timeZone)?.toISOString()).toBe(instant);
});

it.each(['2026-04-31T10:00', '2026-13-01T10:00', '2026-02-29T10:00', 'soon'])(
  'there is no %s',
  (wallTime) => {
    expect(instantOf(wallTime, 'UTC')).toBeNull();
  },
);
