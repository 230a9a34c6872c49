import { z } from 'zod';
import {
  browsePingChecks,
  revokePingCheck,
  rotatePingCheck,
} from '@/lib/monitoring/manage-ping-checks';
import {
  pingCheckDtoSchema,
  pingCheckQuerySchema,
  revokePingCheckSchema,
} from '@/lib/monitoring/ping-schema';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const revoke = operation({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/heartbeats/{heartbeatId}/revoke',
  summary: 'End URLs of a heartbeat at once',
  act: 'project.change',
  scopes: ['projects:write'],
  status: 200,
  body: revokePingCheckSchema,
  example: { url: 'previous' },
  response: pingCheckDtoSchema,
  refusals: {
    409: 'There is no previous URL, or someone else changed the URL at the same time.',
  },
  run: ({ scope, params: { projectId, heartbeatId }, body }) =>
    revokePingCheck(scope, { project: projectId, heartbeatId, ...body }),
});

export const rotate = operation({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/heartbeats/{heartbeatId}/rotate',
  summary: 'Give a heartbeat a new URL; the current one is accepted for another 24 hours',
  act: 'project.change',
  scopes: ['projects:write'],
  status: 200,
  body: emptyBodySchema,
  response: pingCheckDtoSchema,
  refusals: {
    409: 'The URL before the current one is still accepted, or someone else changed the URL at the same time.',
  },
  run: ({ scope, params: { projectId, heartbeatId } }) =>
    rotatePingCheck(scope, { project: projectId, heartbeatId }),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/projects/{projectId}/heartbeats',
  summary: 'List the heartbeats of a project or one of its services, in their order',
  act: 'organization.read',
  scopes: ['projects:read'],
  query: pingCheckQuerySchema,
  response: z.object({
    data: z.array(pingCheckDtoSchema),
    /** The number of checks of a project is limited, so there is one page. */
    nextCursor: z.null(),
  }),
  run: async ({ scope, params, query }) => ({
    data: await browsePingChecks(scope, { project: params.projectId, service: query.service }),
    nextCursor: null,
  }),
});
