import { incidentParams, noteBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { resolveIncident } from '@/lib/incidents/manage-incidents';
import { getIncident } from '@/lib/insight/incidents/list-incidents';
import { incidentDetailSchema } from '@/lib/insight/incidents/schema';

export const POST = route({
  method: 'POST',
  path: '/api/v1/incidents/{incidentId}/resolve',
  summary: 'Say that an incident is over, whatever its checks find',
  auth: 'apiKey',
  scopes: ['incidents:write'],
  status: 200,
  params: incidentParams,
  body: noteBodySchema,
  response: incidentDetailSchema,
  handle: async ({ scope, params, body }) => {
    await resolveIncident(scope, params.incidentId, body);
    return getIncident(scope, params.incidentId);
  },
  answerAgain: ({ scope, params }) => getIncident(scope, params.incidentId),
});
