import { deliveryParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getDelivery } from '@/lib/deliveries/manage-deliveries';
import { deliveryDtoSchema } from '@/lib/deliveries/outbox/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/webhook-deliveries/{deliveryId}',
  summary: 'Get a webhook delivery with its attempts',
  auth: 'apiKey',
  scopes: ['webhook-deliveries:read'],
  params: deliveryParams,
  response: deliveryDtoSchema,
  handle: ({ scope, params }) => getDelivery(scope, params.deliveryId),
});
