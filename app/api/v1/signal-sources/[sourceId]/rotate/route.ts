import { emptyBodySchema, signalSourceParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { rotateSignalToken } from '@/lib/signals/manage-sources';
import { signalSourceWithTokenSchema } from '@/lib/signals/source-schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/signal-sources/{sourceId}/rotate',
  summary:
    'Create a new token; the current one is accepted for another 24 hours, or until the next rotation',
  auth: 'apiKey',
  scopes: ['alert-sources:write'],
  params: signalSourceParams,
  body: emptyBodySchema,
  response: signalSourceWithTokenSchema,
  status: 200,
  handle: ({ scope, params }) => rotateSignalToken(scope, params.sourceId),
});
