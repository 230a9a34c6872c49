import { incidentParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getIncident } from '@/lib/insight/incidents/list-incidents';
import { incidentDetailQuerySchema, incidentDetailSchema } from '@/lib/insight/incidents/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/incidents/{incidentId}',
  summary: 'Get an incident with what happened',
  auth: 'apiKey',
  scopes: ['incidents:read'],
  params: incidentParams,
  query: incidentDetailQuerySchema,
  response: incidentDetailSchema,
  handle: ({ scope, params, query }) => getIncident(scope, params.incidentId, query),
});
