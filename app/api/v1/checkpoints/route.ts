import { listCheckpoints } from '@/lib/checkpoints/service/list-checkpoints';
import { checkpointDtoSchema, checkpointQuerySchema } from '@/lib/checkpoints/view/schema';
import { pageSchema } from '@/lib/http/cursor';
import { route } from '@/lib/http/route';

export const GET = route({
  method: 'GET',
  path: '/api/v1/checkpoints',
  summary: 'List recent checkpoints, of a project or of all, newest first',
  auth: 'apiKey',
  scopes: ['checkpoints:read'],
  query: checkpointQuerySchema,
  queryRefusal: 400,
  response: pageSchema(checkpointDtoSchema),
  handle: ({ scope, query }) => listCheckpoints(scope, query),
});
