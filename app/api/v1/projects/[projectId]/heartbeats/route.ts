import { z } from 'zod';
import { projectParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { heartbeatDtoSchema, heartbeatQuerySchema } from '@/lib/monitoring/heartbeat-schema';
import { browseHeartbeats } from '@/lib/monitoring/manage-heartbeats';

export const GET = route({
  method: 'GET',
  path: '/api/v1/projects/{projectId}/heartbeats',
  summary: 'List the heartbeats of a project or one of its services, in their order',
  auth: 'apiKey',
  scopes: ['projects:read'],
  params: projectParams,
  query: heartbeatQuerySchema,
  response: z.object({
    data: z.array(heartbeatDtoSchema),
    /** The number of checks of a project is limited, so there is one page. */
    nextCursor: z.null(),
  }),
  handle: async ({ scope, params, query }) => ({
    data: await browseHeartbeats(scope, { project: params.projectId, service: query.service }),
    nextCursor: null,
  }),
});
