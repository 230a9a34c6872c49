import { expect, it } from 'vitest';
import { type ChangedSignal, endedEvent, firingEvent } from './signal-events';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 26, 3, minute));
const signal = (id: number, changes: Partial<ChangedSignal> = {}) =>
  ({
    ...{ id: `${id}`, title: `Rule ${id}`, source: 'Prometheus', status: 'firing' },
    ...{
      severity: 'warning',
      service: 'web',
      serviceId: 'w',
      startedAt: at(id),
      firstSeenAt: at(id),
      reopenedAt: null,
    },
    ...changes,
  }) as ChangedSignal;
const NOTHING = { serviceIds: [], hasOther: false };

it('[INC-1.3] quotes ten alerts, the most severe first, and counts the others', () => {
  const signals = Array.from({ length: 12 }, (_, index) => signal(index));
  const event = firingEvent([...signals, signal(20, { severity: 'critical' })], null);
  expect(event).toMatchObject({
    ...{ kind: 'alert_firing', more: 3, severity: 'critical', sources: ['Prometheus'] },
    ...{ startedAt: at(0).toISOString(), newestAt: at(20).toISOString(), hasOther: false },
    services: [{ serviceId: 'w', name: 'web' }],
    firing: { serviceIds: ['w'], hasOther: false },
  });
  expect(event.alerts.map(({ alertId }) => alertId).slice(0, 2)).toEqual(['20', '0']);
});

it.each([
  // [when it is received, when it has begun at the earliest]
  [1, 1],
  [6, 1],
  [12, 7],
])(
  '[INC-1.3] an alert of minute 1 that is received in minute %i has begun in minute %i',
  (received, began) => {
    const event = firingEvent([signal(1, { firstSeenAt: at(received) })], null);
    expect([event.startedAt, event.newestAt]).toEqual([
      at(1).toISOString(),
      at(began).toISOString(),
    ]);
  },
);

it('[SIG-2.1] an alert of minute 1 that fires again in minute 30 has begun then', () => {
  const event = firingEvent([signal(1, { reopenedAt: at(30) })], null);
  expect([event.startedAt, event.newestAt]).toEqual([at(30).toISOString(), at(30).toISOString()]);
});

it('[INC-1.3] names what fires in the incident, of which these alerts are a part', () => {
  const firing = { serviceIds: ['d', 'w'], hasOther: true };
  expect(firingEvent([signal(1)], firing)).toMatchObject({ firing, hasOther: false });
  expect(firingEvent([signal(1, { service: null, serviceId: null })], null)).toMatchObject({
    ...{ hasOther: true, services: [], firing: { serviceIds: [], hasOther: true } },
  });
});

it.each<[string, Partial<ChangedSignal>, string[], boolean]>([
  ['reported as resolved', { status: 'resolved' }, [], false],
  ['stale, of a service without checks', { status: 'stale' }, ['d'], true],
  ['stale, of a service with checks', { status: 'stale' }, ['w'], false],
  ['stale, of no service', { status: 'stale', serviceId: null, service: null }, ['w'], true],
])(
  '[INC-1.3] how it ended is unknown of an alert that is %s',
  (_title, changes, checked, isUnknown) => {
    const event = endedEvent([signal(1, changes)], NOTHING, new Set(checked));
    expect(event).toMatchObject({ kind: 'alert_ended', isUnknown, firing: NOTHING });
  },
);
