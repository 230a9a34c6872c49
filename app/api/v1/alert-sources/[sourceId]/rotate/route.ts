import { rotateAlertToken } from '@/lib/alerts/manage-sources';
import { alertSourceWithTokenSchema } from '@/lib/alerts/source-schema';
import { alertSourceParams, emptyBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';

export const POST = route({
  method: 'POST',
  path: '/api/v1/alert-sources/{sourceId}/rotate',
  summary:
    'Create a new token; the current one is accepted for another 24 hours, or until the next rotation',
  auth: 'apiKey',
  scopes: ['alert-sources:write'],
  params: alertSourceParams,
  body: emptyBodySchema,
  response: alertSourceWithTokenSchema,
  status: 200,
  handle: ({ scope, params }) => rotateAlertToken(scope, params.sourceId),
});
