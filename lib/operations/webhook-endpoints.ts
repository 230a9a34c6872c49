import { z } from 'zod';
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from '@/lib/deliveries/endpoints/manage-endpoints';
import {
  createEndpointSchema,
  endpointDtoSchema,
  endpointWithSecretSchema,
  TARGET_RULES,
  updateEndpointSchema,
} from '@/lib/deliveries/endpoints/schema';
import { sendTestEvent } from '@/lib/deliveries/manage-deliveries';
import { deliveryDtoSchema } from '@/lib/deliveries/outbox/schema';
import { recoverDeliveries } from '@/lib/deliveries/recover-deliveries';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const recover = operation({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/recover',
  summary: 'Resend what an endpoint has missed since a given time',
  act: 'webhook.manage',
  scopes: ['webhook-endpoints:write'],
  body: z.object({
    since: z.iso
      .datetime({ offset: true })
      .meta({ description: 'Deliveries from this moment on, ISO 8601.' }),
  }),
  example: { since: '2026-11-21T00:00:00Z' },
  response: z.object({ deliveries: z.number().int() }),
  refusals: { 409: 'The endpoint is disabled.' },
  run: async ({ scope, params, body }) => ({
    deliveries: await recoverDeliveries(scope, params.endpointId, new Date(body.since)),
  }),
});

export const rotate = operation({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/rotate',
  summary: 'Create a new signing secret; both secrets sign for 24 hours',
  act: 'webhook.manage',
  scopes: ['webhook-endpoints:write'],
  status: 200,
  body: emptyBodySchema,
  response: endpointWithSecretSchema,
  run: ({ scope, params }) => rotateSecret(scope, params.endpointId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  summary: 'Get a webhook endpoint',
  act: 'organization.read',
  scopes: ['webhook-endpoints:read'],
  response: endpointDtoSchema,
  run: ({ scope, params }) => getEndpoint(scope, params.endpointId),
});

export const update = operation({
  method: 'PATCH',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  summary: 'Change, disable or enable a webhook endpoint',
  act: 'webhook.manage',
  scopes: ['webhook-endpoints:write'],
  body: updateEndpointSchema(TARGET_RULES),
  example: { isEnabled: true },
  response: endpointDtoSchema,
  run: ({ scope, params, body }) => updateEndpoint(scope, params.endpointId, body),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  summary: 'Delete a webhook endpoint and its deliveries',
  act: 'webhook.manage',
  scopes: ['webhook-endpoints:write'],
  run: ({ scope, params }) => deleteEndpoint(scope, params.endpointId),
});

export const sendTest = operation({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/test',
  summary: 'Send a test event to this endpoint',
  act: 'webhook.manage',
  scopes: ['webhook-endpoints:write'],
  body: emptyBodySchema,
  response: deliveryDtoSchema,
  run: ({ scope, params }) => sendTestEvent(scope, params.endpointId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/webhook-endpoints',
  summary: 'List webhook endpoints, newest first',
  act: 'organization.read',
  scopes: ['webhook-endpoints:read'],
  query: pageQuerySchema.extend({
    /** Id or slug: its own endpoints and those of the whole organization. */
    project: z.string().optional(),
  }),
  response: pageSchema(endpointDtoSchema),
  run: ({ scope, query }) => listEndpoints(scope, query),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/webhook-endpoints',
  summary: 'Create a webhook endpoint; the response shows its signing secret once',
  act: 'webhook.manage',
  scopes: ['webhook-endpoints:write'],
  body: createEndpointSchema(TARGET_RULES),
  example: {
    url: 'https://hooks.example.com/tierwatch',
    eventTypes: ['chain.completed', 'chain.needs_human'],
  },
  response: endpointWithSecretSchema,
  refusals: {
    409: 'The organization has reached its limit of webhook endpoints.',
  },
  run: ({ scope, body }) => createEndpoint(scope, body),
});
