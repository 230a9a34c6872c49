import { z } from 'zod';
import { route } from '@/lib/api/route';
import {
  deliveryDtoSchema,
  deliveryStatusSchema,
} from '@/lib/deliveries/webhooks/deliveries/schema';
import { listDeliveries } from '@/lib/deliveries/webhooks/service/manage-deliveries';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/webhook-deliveries',
  summary: 'List webhook deliveries with their attempts, newest first',
  auth: 'apiKey',
  scopes: ['webhook-deliveries:read'],
  query: pageQuerySchema.extend({
    endpoint: z.string().optional(),
    status: deliveryStatusSchema.optional(),
  }),
  response: pageSchema(deliveryDtoSchema),
  handle: ({ scope, query }) => listDeliveries(scope, query),
});
