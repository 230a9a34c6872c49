import { emptyBodySchema, sessionParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import {
  checkpointRequestSchema,
  requestCheckpoint,
} from '@/lib/engine/checkpoints/manage-checkpoints';

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
