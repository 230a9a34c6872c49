import { emptyBodySchema } from '@/lib/api/bodies';
import { sessionParams } from '@/lib/api/params';
import { discardSession } from '@/lib/checkpoints/service/discard-session';
import { discardSchema } from '@/lib/checkpoints/view/schema';
import { route } from '@/lib/http/route';

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
