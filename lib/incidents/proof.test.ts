import { expect, it } from 'vitest';
import type { UnprovenCheck } from '@/lib/monitoring/checker-rows';
import type { IncidentEvent } from './events/registry';
import { withoutProof } from './proof';

const now = new Date('2026-11-26T03:00:00Z');
const earlier = new Date('2026-11-26T01:00:00Z');

const check = (service: string, changes: Partial<UnprovenCheck> = {}): UnprovenCheck => ({
  ...{
    serviceId: service,
    service,
    type: 'http',
    status: 'unknown',
    failingSince: null,
    error: '',
  },
  ...changes,
});
const failing = (
  serviceId: string,
  status: 'degraded' | 'down',
  since = earlier,
  error = '',
): IncidentEvent => ({
  ...{ kind: 'service_failing', serviceId, name: serviceId, status, error },
  failingSince: since.toISOString(),
});

it.each<[string, UnprovenCheck[], boolean, IncidentEvent[]]>([
  ['waits for results', [check('web', { status: 'healthy' }), check('db')], false, []],
  [
    'needs a human once it has waited for too long',
    [check('web', { status: 'healthy' }), check('db', { type: 'tcp' })],
    true,
    [
      {
        kind: 'needs_human',
        unproven: [
          { serviceId: 'web', service: 'web', type: 'http' },
          { serviceId: 'db', service: 'db', type: 'tcp' },
        ],
      },
    ],
  ],
  [
    'ends at once where a check fails, whatever the others say',
    [
      check('web', { status: 'degraded', failingSince: earlier, error: 'Slow.' }),
      check('db', { status: 'down' }),
      check('api'),
    ],
    false,
    [failing('db', 'down', now), failing('web', 'degraded', earlier, 'Slow.')],
  ],
  [
    'ends with the worst check of a service',
    [
      check('web', { status: 'degraded', failingSince: earlier }),
      check('web', { status: 'down', failingSince: earlier, type: 'tcp' }),
    ],
    true,
    [failing('web', 'down')],
  ],
])('[INC-3.1] a verification without proof %s', (_what, checks, isOverdue, events) => {
  expect(withoutProof(checks, isOverdue, now)).toEqual(events);
});
