import { endpointParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import {
  deleteEndpoint,
  getEndpoint,
  updateEndpoint,
} from '@/lib/deliveries/endpoints/manage-endpoints';
import {
  endpointDtoSchema,
  TARGET_RULES,
  updateEndpointSchema,
} from '@/lib/deliveries/endpoints/schema';

const shared = {
  path: '/api/v1/webhook-endpoints/{endpointId}',
  auth: 'apiKey',
  params: endpointParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get a webhook endpoint',
  scopes: ['webhook-endpoints:read'],
  response: endpointDtoSchema,
  handle: ({ scope, params }) => getEndpoint(scope, params.endpointId),
});

export const PATCH = route({
  ...shared,
  method: 'PATCH',
  summary: 'Change, disable or enable a webhook endpoint',
  scopes: ['webhook-endpoints:write'],
  body: updateEndpointSchema(TARGET_RULES),
  response: endpointDtoSchema,
  handle: ({ scope, params, body }) => updateEndpoint(scope, params.endpointId, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete a webhook endpoint and its deliveries',
  scopes: ['webhook-endpoints:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deleteEndpoint(scope, params.endpointId);
    return undefined;
  },
});
