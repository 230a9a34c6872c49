import { emptyBodySchema, endpointParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { sendTestEvent } from '@/lib/deliveries/manage-deliveries';
import { deliveryDtoSchema } from '@/lib/deliveries/outbox/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/test',
  summary: 'Send a test event to this endpoint',
  auth: 'apiKey',
  scopes: ['webhook-endpoints:write'],
  params: endpointParams,
  body: emptyBodySchema,
  response: deliveryDtoSchema,
  handle: ({ scope, params }) => sendTestEvent(scope, params.endpointId),
});
