import { emptyBodySchema } from '@/lib/api/bodies';
import { deliveryParams } from '@/lib/api/params';
import { route } from '@/lib/api/route';
import { deliveryDtoSchema } from '@/lib/deliveries/webhooks/deliveries/schema';
import { replayDelivery } from '@/lib/deliveries/webhooks/service/manage-deliveries';

export const POST = route({
  method: 'POST',
  path: '/api/v1/webhook-deliveries/{deliveryId}/replay',
  summary: 'Send a delivery again under the same webhook-id',
  auth: 'apiKey',
  scopes: ['webhook-deliveries:write'],
  params: deliveryParams,
  body: emptyBodySchema,
  response: deliveryDtoSchema,
  status: 200,
  handle: ({ scope, params }) => replayDelivery(scope, params.deliveryId),
});
