import { z } from 'zod';
import { getDelivery, listDeliveries, replayDelivery } from '@/lib/deliveries/manage-deliveries';
import { deliveryDtoSchema, deliveryStatusSchema } from '@/lib/deliveries/outbox/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const replay = operation({
  method: 'POST',
  path: '/api/v1/webhook-deliveries/{deliveryId}/replay',
  summary: 'Send a delivery again under the same webhook-id',
  act: 'webhook.manage',
  scopes: ['webhook-deliveries:write'],
  status: 200,
  body: emptyBodySchema,
  response: deliveryDtoSchema,
  refusals: {
    409: 'The delivery is still in progress, or its endpoint is disabled.',
  },
  run: ({ scope, params }) => replayDelivery(scope, params.deliveryId),
  answerAgain: ({ scope, params }) => getDelivery(scope, params.deliveryId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/webhook-deliveries/{deliveryId}',
  summary: 'Get a webhook delivery with its attempts',
  act: 'organization.read',
  scopes: ['webhook-deliveries:read'],
  response: deliveryDtoSchema,
  run: ({ scope, params }) => getDelivery(scope, params.deliveryId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/webhook-deliveries',
  summary: 'List webhook deliveries with their attempts, newest first',
  act: 'organization.read',
  scopes: ['webhook-deliveries:read'],
  query: pageQuerySchema.extend({
    endpoint: z.string().optional(),
    status: deliveryStatusSchema.optional(),
  }),
  response: pageSchema(deliveryDtoSchema),
  run: ({ scope, query }) => listDeliveries(scope, query),
});
