import { z } from 'zod';
import { route } from '@/lib/api/route';
import { createEndpoint, listEndpoints } from '@/lib/deliveries/endpoints/manage-endpoints';
import {
  createEndpointSchema,
  endpointDtoSchema,
  endpointWithSecretSchema,
  TARGET_RULES,
} from '@/lib/deliveries/endpoints/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

const path = '/api/v1/webhook-endpoints';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List webhook endpoints, newest first',
  auth: 'apiKey',
  scopes: ['webhook-endpoints:read'],
  query: pageQuerySchema.extend({
    /** Id or slug: its own endpoints and those of the whole organization. */
    project: z.string().optional(),
  }),
  response: pageSchema(endpointDtoSchema),
  handle: ({ scope, query }) => listEndpoints(scope, query),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create a webhook endpoint; the response shows its signing secret once',
  auth: 'apiKey',
  scopes: ['webhook-endpoints:write'],
  body: createEndpointSchema(TARGET_RULES),
  response: endpointWithSecretSchema,
  handle: ({ scope, body }) => createEndpoint(scope, body),
});
