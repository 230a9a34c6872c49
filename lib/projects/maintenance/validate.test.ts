import { describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from './schema';
import { maintenanceProblems } from './validate';

const now = new Date('2026-11-21T14:00:00Z');
const once = (startsAt: string, endsAt: string, timeZone = 'UTC'): MaintenanceWindow => ({
  name: 'Move',
  effect: 'no_cycles',
  timeZone,
  when: { kind: 'once', startsAt, endsAt },
});
const recurring = (expression: string, durationSeconds = 3_600): MaintenanceWindow => ({
  name: 'Night',
  effect: 'no_cycles',
  timeZone: 'UTC',
  when: { kind: 'recurring', expression, durationSeconds },
});

describe('[SAS-4.3] a maintenance window is refused at its field', () => {
  it.each<[string, MaintenanceWindow, string, string]>([
    [
      'an end before its start',
      once('2026-12-01T22:00', '2026-12-01T21:00'),
      'when.endsAt',
      'The window ends before it starts. Set a later end.',
    ],
    [
      'one that is over',
      once('2026-11-20T22:00', '2026-11-20T23:00'),
      'when.endsAt',
      'The window has already ended, so it would never open. Set a later end.',
    ],
    [
      'a day that does not exist',
      once('2026-11-31T22:00', '2026-12-01T21:00'),
      'when.startsAt',
      '2026-11-31 22:00 doesn’t exist. Check the date.',
    ],
    [
      'a zone that does not exist',
      once('2026-12-01T21:00', '2026-12-01T22:00', 'Europe/Atlantis'),
      'timeZone',
      'There is no time zone named Europe/Atlantis. Use a name such as Europe/Berlin or UTC.',
    ],
    [
      'a rule that never fires',
      recurring('0 22 31 2 *'),
      'when.expression',
      "`0 22 31 2 *` isn't a schedule: no date ever matches it.",
    ],
    [
      'a cron line with a mistake',
      recurring('0 25 * * *'),
      'when.expression',
      "`0 25 * * *` isn't a schedule: hour goes from 0 to 23.",
    ],
    [
      'one that never closes',
      recurring('0 * * * *'),
      'when.durationSeconds',
      'It starts again after 1h, so it would never close. Make it shorter, or repeat it less often.',
    ],
  ])('%s', (_name, window, field, error) => {
    expect(maintenanceProblems([window], [], now)).toEqual({ [`maintenance.0.${field}`]: error });
  });

  it('a name that two share', () => {
    const window = once('2026-12-01T21:00', '2026-12-01T22:00');
    expect(maintenanceProblems([window, window], [], now)).toEqual({
      'maintenance.1.name': 'This name is used by another window. Pick a different one.',
    });
  });
});

it('a window that was there before may be over; sound ones have no problem', () => {
  const past = once('2026-11-20T22:00', '2026-11-20T23:00');
  expect(maintenanceProblems([past, recurring('0 22 * * 6')], [past], now)).toEqual({});
});
