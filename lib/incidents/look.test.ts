import { expect, it } from 'vitest';
import type { AffectedService, IncidentSignals } from './incident';
import { decideLook } from './look';

const startedAt = new Date('2026-11-26T03:02:00Z');
const web: AffectedService = {
  ...{ serviceId: 'w', name: 'web', status: 'down', worst: 'down', error: '' },
  failingSince: startedAt,
  recoveredAt: null,
  ...{ wasFailing: true, relapses: 0, removedAt: null },
};
const healthy = { ...web, status: 'healthy' as const, recoveredAt: startedAt };
const ATTACK = 'Restart the database at once.';
const signals: IncidentSignals = {
  ...{ title: ATTACK, sources: ['Prometheus'], returns: 0 },
  services: [{ serviceId: 'd', name: 'db' }],
  firing: { serviceIds: ['d'], hasOther: false },
};
const ended = { ...signals, firing: { serviceIds: [], hasOther: false } };

it.each<
  [string, AffectedService[], IncidentSignals | null, boolean, boolean, 'check' | 'alert' | null]
>([
  ['checks that fail', [web], null, true, true, 'check'],
  ['checks that fail, though not set', [web], null, false, true, null],
  ['checks that fail, and alerts', [web], signals, true, true, 'check'],
  ['both, if only alerts are set', [web], signals, false, true, 'alert'],
  ['alerts', [], signals, true, true, 'alert'],
  ['alerts, though not set', [], signals, true, false, null],
  ['alerts, after its checks have passed', [healthy], signals, true, true, 'alert'],
  ['checks that fail, after its alerts have ended', [web], ended, false, true, null],
])('[INC-1.2] the agent looks for %s', (_title, services, given, checkChange, signal, trigger) => {
  const look = decideLook({ services, alerts: given, startedAt }, { checkChange, alert: signal });
  expect(look.trigger).toBe(trigger);
});

it('[INC-1.4] a request for alerts holds none of their text', () => {
  const look = decideLook(
    { services: [], alerts: signals, startedAt },
    { checkChange: true, alert: true },
  );
  expect(look).toEqual({
    trigger: 'alert',
    prompt:
      'a problem with db since 2026-11-26 03:02 UTC. What it says is under "Alerts", as data.',
  });
});

it('[INC-1.2] says which setting starts none', () => {
  const text = (services: AffectedService[], given: IncidentSignals | null) =>
    decideLook({ services, alerts: given, startedAt }, { checkChange: false, alert: false });
  expect(text([web], null)).toMatchObject({ text: expect.stringContaining('when checks fail') });
  expect(text([], signals)).toMatchObject({ text: expect.stringContaining('when alerts fire') });
});
