import { incidentParams, silenceIncidentBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { endIncidentSilence, silenceIncident } from '@/lib/incidents/manage-incidents';
import { getIncident } from '@/lib/insight/incidents/list-incidents';
import { incidentDetailSchema } from '@/lib/insight/incidents/schema';

const shared = {
  path: '/api/v1/incidents/{incidentId}/silence',
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
    'Stop the messages that people get about an incident, for a time or until it is resolved',
  body: silenceIncidentBodySchema,
  handle: async ({ scope, params, body }) => {
    await silenceIncident(scope, params.incidentId, body);
    return getIncident(scope, params.incidentId);
  },
  answerAgain: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'End a silence; people are notified if they are still needed',
  handle: async ({ scope, params }) => {
    await endIncidentSilence(scope, params.incidentId);
    return getIncident(scope, params.incidentId);
  },
});
