import { z } from 'zod';
import { pageQuerySchema, pageSchema } from '@/lib/http/cursor';
import { route } from '@/lib/http/route';
import { deliveryDtoSchema, deliveryStatusSchema } from '@/lib/webhooks/deliveries/schema';
import { listDeliveries } from '@/lib/webhooks/service/manage-deliveries';

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
