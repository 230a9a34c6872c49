import { route } from '@/lib/api/route';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import { incidentDtoSchema, incidentQuerySchema } from '@/lib/insight/incidents/schema';
import { pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/incidents',
  summary: 'List incidents, newest first',
  auth: 'apiKey',
  scopes: ['incidents:read'],
  query: incidentQuerySchema,
  response: pageSchema(incidentDtoSchema),
  handle: ({ scope, query }) => listIncidents(scope, query),
});
