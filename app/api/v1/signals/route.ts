import { route } from '@/lib/api/route';
import { pageSchema } from '@/lib/platform/http/cursor';
import { listSignals, signalQuerySchema } from '@/lib/signals/list-signals';
import { signalDtoSchema } from '@/lib/signals/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/signals',
  summary: 'List alerts of other systems, newest first',
  auth: 'apiKey',
  scopes: ['alerts:read'],
  query: signalQuerySchema,
  response: pageSchema(signalDtoSchema),
  handle: ({ scope, query }) => listSignals(scope, query),
});
