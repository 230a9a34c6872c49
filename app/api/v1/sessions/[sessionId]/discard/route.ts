import { emptyBodySchema, sessionParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { discardSchema, discardSession } from '@/lib/engine/checkpoints/manage-checkpoints';

export const POST = route({
  method: 'POST',
  path: '/api/v1/sessions/{sessionId}/discard',
  summary: 'Exclude a session from recovery; its checkpoints stay readable',
  auth: 'apiKey',
  scopes: ['sessions:write'],
  params: sessionParams,
  body: emptyBodySchema,
  response: discardSchema,
  status: 200,
  handle: ({ scope, params }) => discardSession(scope, params.sessionId),
  answerAgain: ({ scope, params }) => discardSession(scope, params.sessionId),
});
