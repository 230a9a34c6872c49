import { recordExport } from '@/lib/identity/audit/record-audit';
import {
  acknowledgeIncident,
  endIncidentAcknowledgement,
  endIncidentSilence,
  resolveIncident,
  silenceIncident,
} from '@/lib/incidents/manage-incidents';
import { mergeIncident } from '@/lib/incidents/merge-incident';
import {
  incidentDetailQuerySchema,
  incidentDetailSchema,
  incidentDtoSchema,
  incidentQuerySchema,
} from '@/lib/incidents/view';
import { getPostMortem } from '@/lib/insight/incidents/get-post-mortem';
import { getIncident, listIncidents } from '@/lib/insight/incidents/list-incidents';
import { readClient } from '@/lib/platform/http/client-address';
import { pageSchema } from '@/lib/platform/http/cursor';
import { markdownResponse } from '@/lib/platform/http/file-response';
import {
  acknowledgeIncidentBodySchema,
  mergeIncidentBodySchema,
  noteBodySchema,
  silenceIncidentBodySchema,
} from './bodies';
import { operation } from './operation';

export const acknowledge = operation({
  method: 'POST',
  path: '/api/v1/incidents/{incidentId}/acknowledge',
  summary:
    'Say that you are working on an incident, until it is resolved or the acknowledgement ends',
  act: 'incident.acknowledge',
  scopes: ['incidents:write'],
  status: 200,
  body: acknowledgeIncidentBodySchema,
  example: { note: 'I’m on it.' },
  response: incidentDetailSchema,
  refusals: {
    409: 'It is resolved, or someone has already acknowledged it.',
  },
  run: ({ scope, params, body }) => acknowledgeIncident(scope, params.incidentId, body),
  answer: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const endAcknowledgement = operation({
  method: 'DELETE',
  path: '/api/v1/incidents/{incidentId}/acknowledge',
  summary: 'Remove an acknowledgement; the incident is open again',
  act: 'incident.acknowledge',
  scopes: ['incidents:write'],
  response: incidentDetailSchema,
  run: ({ scope, params }) => endIncidentAcknowledgement(scope, params.incidentId),
  answer: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const merge = operation({
  method: 'POST',
  path: '/api/v1/incidents/{incidentId}/merge',
  summary: 'Merge an incident into another one of its project, because it is the same outage',
  act: 'incident.acknowledge',
  scopes: ['incidents:write'],
  status: 200,
  body: mergeIncidentBodySchema,
  example: {
    into: 'inc_0123456789abcdefghijkl',
    note: 'The same switch.',
  },
  response: incidentDetailSchema,
  refusals: {
    409: 'One of the two is resolved or was merged elsewhere, they belong to different projects, or they are the same; `detail` says which.',
  },
  run: ({ scope, params, body }) => mergeIncident(scope, params.incidentId, body),
  answer: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const exportPostMortem = operation({
  method: 'GET',
  path: '/api/v1/incidents/{incidentId}/post-mortem',
  summary: 'Export an incident as a post-mortem in Markdown',
  act: 'organization.read',
  scopes: ['incidents:read'],
  handle: async ({ request, scope, params: { incidentId } }) => {
    const { fileName, text } = await getPostMortem(scope, incidentId);
    await recordExport(scope, readClient(request.headers), 'post-mortem', { incidentId });
    return markdownResponse(fileName, text);
  },
});

export const resolve = operation({
  method: 'POST',
  path: '/api/v1/incidents/{incidentId}/resolve',
  summary: 'Say that an incident is over, whatever its checks find',
  act: 'incident.acknowledge',
  scopes: ['incidents:write'],
  status: 200,
  body: noteBodySchema,
  example: { note: 'The provider has fixed its network.' },
  response: incidentDetailSchema,
  refusals: { 409: 'It is already resolved.' },
  run: ({ scope, params, body }) => resolveIncident(scope, params.incidentId, body),
  answer: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/incidents/{incidentId}',
  summary: 'Get an incident with what happened',
  act: 'organization.read',
  scopes: ['incidents:read'],
  query: incidentDetailQuerySchema,
  response: incidentDetailSchema,
  run: ({ scope, params, query }) => getIncident(scope, params.incidentId, query),
});

export const silence = operation({
  method: 'POST',
  path: '/api/v1/incidents/{incidentId}/silence',
  summary:
    'Stop the messages that people get about an incident, for a time or until it is resolved',
  act: 'incident.acknowledge',
  scopes: ['incidents:write'],
  status: 200,
  body: silenceIncidentBodySchema,
  example: {
    note: 'The provider works on it.',
    endsAt: '2027-01-31T18:00:00Z',
  },
  response: incidentDetailSchema,
  refusals: { 409: 'It is resolved.' },
  run: ({ scope, params, body }) => silenceIncident(scope, params.incidentId, body),
  answer: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const endSilence = operation({
  method: 'DELETE',
  path: '/api/v1/incidents/{incidentId}/silence',
  summary: 'End a silence; people are notified if they are still needed',
  act: 'incident.acknowledge',
  scopes: ['incidents:write'],
  response: incidentDetailSchema,
  run: ({ scope, params }) => endIncidentSilence(scope, params.incidentId),
  answer: ({ scope, params }) => getIncident(scope, params.incidentId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/incidents',
  summary: 'List incidents, newest first',
  act: 'organization.read',
  scopes: ['incidents:read'],
  query: incidentQuerySchema,
  response: pageSchema(incidentDtoSchema),
  run: ({ scope, query }) => listIncidents(scope, query),
});
