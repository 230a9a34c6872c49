import { emptyBodySchema, heartbeatParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { heartbeatDtoSchema } from '@/lib/monitoring/heartbeat-schema';
import { rotateHeartbeat } from '@/lib/monitoring/manage-heartbeats';

export const POST = route({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/heartbeats/{heartbeatId}/rotate',
  summary: 'Give a heartbeat a new URL; the current one is accepted for another 24 hours',
  auth: 'apiKey',
  scopes: ['projects:write'],
  params: heartbeatParams,
  body: emptyBodySchema,
  response: heartbeatDtoSchema,
  status: 200,
  handle: ({ scope, params: { projectId, heartbeatId } }) =>
    rotateHeartbeat(scope, { project: projectId, heartbeatId }),
});
