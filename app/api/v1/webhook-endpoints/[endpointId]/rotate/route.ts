import { emptyBodySchema, endpointParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { rotateSecret } from '@/lib/deliveries/endpoints/manage-endpoints';
import { endpointWithSecretSchema } from '@/lib/deliveries/endpoints/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/rotate',
  summary: 'Create a new signing secret; both secrets sign for 24 hours',
  auth: 'apiKey',
  scopes: ['webhook-endpoints:write'],
  params: endpointParams,
  body: emptyBodySchema,
  response: endpointWithSecretSchema,
  status: 200,
  handle: ({ scope, params }) => rotateSecret(scope, params.endpointId),
});
