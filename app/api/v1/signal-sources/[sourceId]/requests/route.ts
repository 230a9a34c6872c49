import { signalSourceParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { listRequests } from '@/lib/signals/list-requests';
import { signalRequestDtoSchema } from '@/lib/signals/request-schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/signal-sources/{sourceId}/requests',
  summary: 'List what a source has sent, newest first, with what was rejected and why',
  auth: 'apiKey',
  scopes: ['alert-sources:read'],
  params: signalSourceParams,
  query: pageQuerySchema,
  response: pageSchema(signalRequestDtoSchema),
  handle: ({ scope, params, query }) => listRequests(scope, params.sourceId, query),
});
