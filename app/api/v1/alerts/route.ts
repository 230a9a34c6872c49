import { alertQuerySchema, listAlerts } from '@/lib/alerts/list-alerts';
import { alertDtoSchema } from '@/lib/alerts/schema';
import { route } from '@/lib/api/route';
import { pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/alerts',
  summary: 'List alerts of other systems, newest first',
  auth: 'apiKey',
  scopes: ['alerts:read'],
  query: alertQuerySchema,
  response: pageSchema(alertDtoSchema),
  handle: ({ scope, query }) => listAlerts(scope, query),
});
