import { sessionParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { checkpointDtoSchema, listSessionCheckpoints } from '@/lib/insight/checkpoints';
import { pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/checkpoints/{sessionId}',
  summary: 'List every checkpoint of a session, newest first, on one page',
  auth: 'apiKey',
  scopes: ['checkpoints:read'],
  params: sessionParams,
  response: pageSchema(checkpointDtoSchema),
  handle: async ({ scope, params }) => ({
    data: await listSessionCheckpoints(scope, params.sessionId),
    nextCursor: null,
  }),
});
