import { describe, expect, it } from 'vitest';
import type { MaintenanceWindow } from './schema';
import { nextWindows, openWindow } from './window';

const night: MaintenanceWindow = {
  name: 'Night',
  effect: 'observe_only',
  timeZone: 'Europe/Berlin',
  when: { kind: 'recurring', expression: '0 22 * * 6', durationSeconds: 4 * 3_600 },
};
const move: MaintenanceWindow = {
  name: 'Move',
  effect: 'no_cycles',
  timeZone: 'UTC',
  when: { kind: 'once', startsAt: '2026-11-21T22:30', endsAt: '2026-11-21T23:00' },
};

describe('[SAS-4.3] a maintenance window', () => {
  // Saturday 21 November 2026, 22:00 in Berlin is 21:00 in UTC.
  it.each([
    ['2026-11-21T20:59:59Z', null],
    ['2026-11-21T21:00:00Z', 'Night'],
    ['2026-11-22T00:59:59Z', 'Night'],
    ['2026-11-22T01:00:00Z', null],
    ['2026-11-20T22:00:00Z', null],
    ['2026-11-21T22:30:00Z', 'Move'],
    ['2026-11-21T23:00:00Z', 'Night'],
  ])('at %s the one that holds is %s', (now, name) => {
    expect(openWindow([night, move], new Date(now))?.name ?? null).toBe(name);
  });

  it('of two alike holds until the later end', () => {
    const longer = { ...move, name: 'Longer', when: { ...move.when, endsAt: '2026-11-22T04:00' } };
    const now = new Date('2026-11-21T22:40:00Z');
    expect(openWindow([move, longer as MaintenanceWindow], now)?.name).toBe('Longer');
  });

  it('keeps its hour on the wall when clocks change', () => {
    const starts = nextWindows(night, new Date('2026-10-22T00:00:00Z'), 2);
    expect(starts.map(({ startsAt }) => startsAt.toISOString())).toEqual([
      '2026-10-24T20:00:00.000Z',
      '2026-10-31T21:00:00.000Z',
    ]);
  });

  it('that is over has no next time', () => {
    expect(nextWindows(move, new Date('2026-11-22T00:00:00Z'), 3)).toEqual([]);
    expect(nextWindows(move, new Date('2026-11-21T00:00:00Z'), 3)).toHaveLength(1);
  });
});
