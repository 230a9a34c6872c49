import { serviceParams, snoozeBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { snoozeService, wakeService } from '@/lib/projects/pauses';
import { serviceStateSchema } from '@/lib/projects/view';

const shared = {
  path: '/api/v1/projects/{projectId}/services/{serviceName}/snooze',
  auth: 'apiKey',
  scopes: ['projects:write'],
  params: serviceParams,
  response: serviceStateSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Snooze a service: it doesn’t escalate until the snooze ends',
  body: snoozeBodySchema,
  handle: ({ scope, params, body }) =>
    snoozeService(scope, { project: params.projectId, name: params.serviceName }, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'End the snooze of a service',
  handle: ({ scope, params }) =>
    wakeService(scope, { project: params.projectId, name: params.serviceName }),
});
