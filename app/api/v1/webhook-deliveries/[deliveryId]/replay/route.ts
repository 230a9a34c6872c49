import { deliveryParams, emptyBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getDelivery, replayDelivery } from '@/lib/deliveries/manage-deliveries';
import { deliveryDtoSchema } from '@/lib/deliveries/outbox/schema';

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
  answerAgain: ({ scope, params }) => getDelivery(scope, params.deliveryId),
});
