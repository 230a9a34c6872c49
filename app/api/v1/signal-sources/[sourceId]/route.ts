import { signalSourceParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import {
  deleteSignalSource,
  getSignalSource,
  updateSignalSource,
} from '@/lib/signals/manage-sources';
import { signalSourceDtoSchema, updateSignalSourceSchema } from '@/lib/signals/source-schema';

const shared = {
  path: '/api/v1/signal-sources/{sourceId}',
  auth: 'apiKey',
  params: signalSourceParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get an alert source',
  scopes: ['alert-sources:read'],
  response: signalSourceDtoSchema,
  handle: ({ scope, params }) => getSignalSource(scope, params.sourceId),
});

export const PATCH = route({
  ...shared,
  method: 'PATCH',
  summary: 'Change, disable or enable an alert source',
  scopes: ['alert-sources:write'],
  body: updateSignalSourceSchema,
  response: signalSourceDtoSchema,
  handle: ({ scope, params, body }) => updateSignalSource(scope, params.sourceId, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete an alert source with its alerts and deliveries',
  scopes: ['alert-sources:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deleteSignalSource(scope, params.sourceId);
    return undefined;
  },
});
