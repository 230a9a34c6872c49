import { route } from '@/lib/http/route';
import { directivesResponseSchema, heartbeatRequestSchema } from '@/lib/runner-protocol/schema';
import { recordHeartbeat } from '@/lib/runners/service/record-heartbeat';

export const POST = route({
  method: 'POST',
  path: '/api/runner/v1/heartbeat',
  summary: 'Renew the leases of running attempts',
  auth: 'runner',
  status: 200,
  body: heartbeatRequestSchema,
  response: directivesResponseSchema,
  handle: ({ scope, body }) => recordHeartbeat(scope, body),
});
