import { acknowledgeIncidentBodySchema, incidentParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { acknowledgeIncident, endIncidentAcknowledgement } from '@/lib/incidents/manage-incidents';
import { getIncident } from '@/lib/insight/incidents/list-incidents';
import { incidentDetailSchema } from '@/lib/insight/incidents/schema';

const shared = {
  path: '/api/v1/incidents/{incidentId}/acknowledge',
  auth: 'apiKey',
  scopes: ['incidents:write'],
  params: incidentParams,
  response: incidentDetailSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary:
    'Say that you are working on an incident, until it is resolved or the acknowledgement ends',
  body: acknowledgeIncidentBodySchema,
  handle: async ({ scope, params, body }) => {
    await acknowledgeIncident(scope, params.incidentId, body);
    return getIncident(scope, params.incidentId);
  },
  answerAgain: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Remove an acknowledgement; the incident is open again',
  handle: async ({ scope, params }) => {
    await endIncidentAcknowledgement(scope, params.incidentId);
    return getIncident(scope, params.incidentId);
  },
});
