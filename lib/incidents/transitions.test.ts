import { expect, it } from 'vitest';
import { openByFailure } from './events/service-failing';
import { newIncident, verifyIfWell } from './transitions';

const NOW = new Date('2026-11-26T03:00:00Z');

/** An incident about web, whose check says this now. */
function incidentWith(status: 'healthy' | 'degraded' | 'down' | 'unknown', isRemoved = false) {
  const { incident } = openByFailure(
    'check',
    {
      ...{ kind: 'service_failing', serviceId: 'web', name: 'web', status: 'down', error: '' },
      failingSince: NOW.toISOString(),
    },
    NOW,
  );
  const services = incident.services.map((service) => {
    return { ...service, status, removedAt: isRemoved ? NOW : null };
  });
  return { ...incident, services };
}

it.each([
  ['healthy', false, 'verifying'],
  ['degraded', false, 'open'],
  ['down', false, 'open'],
  // What can't be checked isn't well.
  ['unknown', false, 'open'],
  ['unknown', true, 'verifying'],
] as const)(
  '[INC-2.1] an incident whose service is %s (removed: %s) is %s',
  (status, isRemoved, state) => {
    const { incident, notices } = verifyIfWell(incidentWith(status, isRemoved), NOW);
    expect(incident.state).toBe(state);
    expect(notices).toEqual(state === 'verifying' ? ['verifying'] : []);
  },
);

it('[INC-2.1] one service that is well doesn’t make up for another that isn’t', () => {
  const [healthy, unknown] = [incidentWith('healthy'), incidentWith('unknown')];
  const services = [...healthy.services, ...unknown.services];
  expect(verifyIfWell({ ...healthy, services }, NOW).incident.state).toBe('open');
});

it('[INC-2.1] an incident without services has nothing that speaks against it', () => {
  expect(verifyIfWell(newIncident('alert', NOW, NOW), NOW).incident.state).toBe('verifying');
});
