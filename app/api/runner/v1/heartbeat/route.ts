import { route } from '@/lib/api/route';
import { recordHeartbeat } from '@/lib/engine/directives';
import { directivesResponseSchema, heartbeatRequestSchema } from '@/lib/protocol/schema';

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
