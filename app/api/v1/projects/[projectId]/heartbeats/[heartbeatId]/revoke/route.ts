import { heartbeatParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { heartbeatDtoSchema, revokeHeartbeatSchema } from '@/lib/monitoring/heartbeat-schema';
import { revokeHeartbeat } from '@/lib/monitoring/manage-heartbeats';

export const POST = route({
  method: 'POST',
  path: '/api/v1/projects/{projectId}/heartbeats/{heartbeatId}/revoke',
  summary: 'End URLs of a heartbeat at once',
  auth: 'apiKey',
  scopes: ['projects:write'],
  params: heartbeatParams,
  body: revokeHeartbeatSchema,
  response: heartbeatDtoSchema,
  status: 200,
  handle: ({ scope, params: { projectId, heartbeatId }, body }) =>
    revokeHeartbeat(scope, { project: projectId, heartbeatId, ...body }),
});
