import { z } from 'zod';
import { endpointParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { recoverDeliveries } from '@/lib/deliveries/recover-deliveries';

export const POST = route({
  method: 'POST',
  path: '/api/v1/webhook-endpoints/{endpointId}/recover',
  summary: 'Resend what an endpoint has missed since a given time',
  auth: 'apiKey',
  scopes: ['webhook-endpoints:write'],
  params: endpointParams,
  body: z.object({
    since: z.iso
      .datetime({ offset: true })
      .meta({ description: 'Deliveries from this moment on, ISO 8601.' }),
  }),
  response: z.object({ deliveries: z.number().int() }),
  handle: async ({ scope, params, body }) => ({
    deliveries: await recoverDeliveries(scope, params.endpointId, new Date(body.since)),
  }),
});
