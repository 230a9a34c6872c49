import { expect, it } from 'vitest';
import type { AffectedService, IncidentSignals } from './incident';
import { anySignalFires, holdsOpen, serviceIdsOf, serviceNamesOf } from './signals-of-incident';

const web: AffectedService = {
  ...{ serviceId: 'w', name: 'web', status: 'healthy', worst: 'down', error: '' },
  failingSince: new Date(0),
  recoveredAt: new Date(1),
  ...{ wasFailing: false, relapses: 0, removedAt: null },
};
const signals = (firing: IncidentSignals['firing']): IncidentSignals => ({
  ...{ title: 'Slow', sources: ['Prometheus'], returns: 0, firing },
  services: [
    { serviceId: 'w', name: 'web' },
    { serviceId: 'd', name: 'db' },
  ],
});

it.each<[string, IncidentSignals | null, boolean, boolean]>([
  ['no alert', null, false, false],
  ['alerts that have ended', signals({ serviceIds: [], hasOther: false }), false, false],
  [
    'one about a service whose checks failed',
    signals({ serviceIds: ['w'], hasOther: false }),
    true,
    false,
  ],
  ['one about another service', signals({ serviceIds: ['w', 'd'], hasOther: false }), true, true],
  ['one about no service', signals({ serviceIds: [], hasOther: true }), true, true],
])('[INC-1.3] %s: fires, and holds the incident open', (_title, given, fires, holds) => {
  const incident = { services: [web], alerts: given };
  expect([anySignalFires(incident), holdsOpen(incident)]).toEqual([fires, holds]);
});

it('[INC-2.1] an incident is about the services of its checks and of its alerts', () => {
  const incident = { services: [web], alerts: signals({ serviceIds: [], hasOther: false }) };
  expect(serviceIdsOf(incident)).toEqual(['w', 'd']);
  expect(serviceNamesOf(incident)).toEqual(['web', 'db']);
});
