import { route } from '@/lib/api/route';
import {
  checkpointDtoSchema,
  checkpointQuerySchema,
  listCheckpoints,
} from '@/lib/insight/checkpoints';
import { pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/checkpoints',
  summary: 'List recent checkpoints of one project or of all projects, newest first',
  auth: 'apiKey',
  scopes: ['checkpoints:read'],
  query: checkpointQuerySchema,
  queryRefusal: 400,
  response: pageSchema(checkpointDtoSchema),
  handle: ({ scope, query }) => listCheckpoints(scope, query),
});
