import { snoozeService, wakeService } from '@/lib/projects/pauses';
import { serviceStateSchema } from '@/lib/projects/view';
import { snoozeBodySchema } from './bodies';
import { operation } from './operation';

export const snooze = operation({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/services/{serviceName}/snooze',
  summary: 'Snooze a service: it doesn’t escalate until the snooze ends',
  act: 'service.snooze',
  scopes: ['projects:write'],
  status: 200,
  body: snoozeBodySchema,
  example: {
    until: '2027-01-31T18:00:00Z',
    reason: 'Known, fixed with the next deployment',
  },
  response: serviceStateSchema,
  run: ({ scope, params, body }) =>
    snoozeService(scope, { project: params.projectId, name: params.serviceName }, body),
});

export const endSnooze = operation({
  method: 'DELETE',
  path: '/api/v1/projects/{projectId}/services/{serviceName}/snooze',
  summary: 'End the snooze of a service',
  act: 'service.snooze',
  scopes: ['projects:write'],
  response: serviceStateSchema,
  run: ({ scope, params }) =>
    wakeService(scope, { project: params.projectId, name: params.serviceName }),
});
