import { z } from 'zod';
import { route } from '@/lib/api/route';
import { listDeliveries } from '@/lib/deliveries/manage-deliveries';
import { deliveryDtoSchema, deliveryStatusSchema } from '@/lib/deliveries/outbox/schema';
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
