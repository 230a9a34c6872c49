import { sessionParams } from '@/lib/api/params';
import { listSessionCheckpoints } from '@/lib/checkpoints/service/list-checkpoints';
import { checkpointDtoSchema } from '@/lib/checkpoints/view/schema';
import { pageSchema } from '@/lib/http/cursor';
import { route } from '@/lib/http/route';

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
