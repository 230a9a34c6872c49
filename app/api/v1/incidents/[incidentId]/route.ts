import { incidentParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getIncident } from '@/lib/insight/incidents/list-incidents';
import { incidentDetailSchema } from '@/lib/insight/incidents/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/incidents/{incidentId}',
  summary: 'Get an incident with everything that happened',
  auth: 'apiKey',
  scopes: ['incidents:read'],
  params: incidentParams,
  response: incidentDetailSchema,
  handle: ({ scope, params }) => getIncident(scope, params.incidentId),
});
