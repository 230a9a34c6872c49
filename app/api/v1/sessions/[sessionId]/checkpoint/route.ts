import { emptyBodySchema } from '@/lib/api/bodies';
import { sessionParams } from '@/lib/api/params';
import { requestCheckpoint } from '@/lib/checkpoints/service/request-checkpoint';
import { checkpointRequestSchema } from '@/lib/checkpoints/view/schema';
import { route } from '@/lib/http/route';

export const POST = route({
  method: 'POST',
  path: '/api/v1/sessions/{sessionId}/checkpoint',
  summary: 'Ask a running session for a checkpoint; its runner writes it within seconds',
  auth: 'apiKey',
  scopes: ['sessions:write'],
  params: sessionParams,
  body: emptyBodySchema,
  response: checkpointRequestSchema,
  status: 202,
  handle: ({ scope, params }) => requestCheckpoint(scope, params.sessionId),
});
