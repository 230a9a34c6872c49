import { pageSchema } from '@/lib/platform/http/cursor';
import { listSignals, signalQuerySchema } from '@/lib/signals/list-signals';
import { signalDtoSchema } from '@/lib/signals/schema';
import { operation } from './operation';

export const list = operation({
  method: 'GET',
  path: '/api/v1/signals',
  summary: 'List alerts of other systems, newest first',
  act: 'organization.read',
  scopes: ['alerts:read'],
  query: signalQuerySchema,
  response: pageSchema(signalDtoSchema),
  run: ({ scope, query }) => listSignals(scope, query),
});
