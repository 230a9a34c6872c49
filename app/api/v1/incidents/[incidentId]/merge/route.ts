import { incidentParams, mergeIncidentBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { mergeIncident } from '@/lib/incidents/merge-incident';
import { getIncident } from '@/lib/insight/incidents/list-incidents';
import { incidentDetailSchema } from '@/lib/insight/incidents/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/incidents/{incidentId}/merge',
  summary: 'Merge an incident into another one of its project, because it is the same outage',
  auth: 'apiKey',
  scopes: ['incidents:write'],
  status: 200,
  params: incidentParams,
  body: mergeIncidentBodySchema,
  response: incidentDetailSchema,
  handle: async ({ scope, params, body }) => {
    await mergeIncident(scope, params.incidentId, body);
    return getIncident(scope, params.incidentId);
  },
  answerAgain: ({ scope, params }) => getIncident(scope, params.incidentId),
});
