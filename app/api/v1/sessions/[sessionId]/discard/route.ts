import { emptyBodySchema, sessionParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { discardSchema, discardSession } from '@/lib/engine/checkpoints/manage-checkpoints';

export const POST = route({
  method: 'POST',
  path: '/api/v1/sessions/{sessionId}/discard',
  summary: 'Let nothing of a session be recovered; its checkpoints stay to be read',
  auth: 'apiKey',
  scopes: ['sessions:write'],
  params: sessionParams,
  body: emptyBodySchema,
  response: discardSchema,
  status: 200,
  handle: ({ scope, params }) => discardSession(scope, params.sessionId),
});
