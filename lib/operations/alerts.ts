import { alertQuerySchema, listAlerts } from '@/lib/alerts/list-alerts';
import { alertDtoSchema } from '@/lib/alerts/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { operation } from './operation';

export const list = operation({
  method: 'GET',
  path: '/api/v1/alerts',
  summary: 'List alerts of other systems, newest first',
  act: 'organization.read',
  scopes: ['alerts:read'],
  query: alertQuerySchema,
  response: pageSchema(alertDtoSchema),
  run: ({ scope, query }) => listAlerts(scope, query),
});
