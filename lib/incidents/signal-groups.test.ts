import { describe, expect, it } from 'vitest';
import { openBySignals } from './events/alert-firing';
import { type ChangedSignal, endedEvent, firingEvent } from './signal-events';
import { groupSignals, isWorthAnEvent, MAX_SIGNAL_EVENTS } from './signal-groups';

const NOW = new Date('2026-11-26T12:00:00Z');
const SETTINGS = { groupSeconds: 600, reopenSeconds: 3_600 };

const signal = (id: string, service: string | null, changes: Partial<ChangedSignal> = {}) =>
  ({
    ...{ id, service, serviceId: service, title: id, source: 'Prometheus', status: 'firing' },
    ...{ severity: 'warning', startedAt: NOW, firstSeenAt: NOW, reopenedAt: null },
    ...changes,
  }) as ChangedSignal;

const stored = (id: string, service: string, minutes: number) => {
  const openedAt = new Date(NOW.getTime() - minutes * 60_000);
  return { ...openBySignals(firingEvent([signal(id, service)], null), openedAt).incident, id };
};

it('[INC-1.3] alerts join the incidents of their services, and the others open one together', () => {
  const incidents = [stored('db-incident', 'db', 20), stored('web-incident', 'web', 30)];
  const signals = [
    ...[signal('1', 'web'), signal('2', null), signal('3', 'api'), signal('4', 'db')],
    ...[signal('5', 'web'), signal('6', null, { severity: 'info' })],
  ];
  const groups = groupSignals(signals, incidents, new Map(), NOW, SETTINGS);
  expect(groups.map((group) => [group.incidentId, group.signals.map(({ id }) => id)])).toEqual([
    ['web-incident', ['1', '5']],
    ['db-incident', ['4']],
    [null, ['2', '3']],
  ]);
});

describe('[INC-1.3] an event about alerts', () => {
  const incident = { ...stored('i', 'web', 5), sequence: MAX_SIGNAL_EVENTS };
  const again = firingEvent([signal('1', 'web')], null);

  it.each([
    ['one that is new', MAX_SIGNAL_EVENTS - 1, true, again, true],
    ['one that is new, after very many', MAX_SIGNAL_EVENTS, true, again, false],
    ['one that changes nothing', 1, false, again, false],
    ['one that is more severe', 1_000, false, { ...again, severity: 'critical' as const }, true],
    ['one about another service', 1_000, false, firingEvent([signal('2', 'db')], null), true],
    [
      'the end of the last one',
      1_000,
      false,
      endedEvent([signal('1', 'web')], { serviceIds: [], hasOther: false }, new Set()),
      true,
    ],
  ] as const)('is kept for %s', (_title, sequence, hasNews, event, isKept) => {
    expect(isWorthAnEvent({ ...incident, sequence }, event, hasNews, NOW)).toBe(isKept);
  });
});
