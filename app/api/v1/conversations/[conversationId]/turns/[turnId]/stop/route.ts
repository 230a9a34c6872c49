import { emptyBodySchema } from '@/lib/api/bodies';
import { turnParams } from '@/lib/api/params';
import { route } from '@/lib/api/route';
import { turnDtoSchema } from '@/lib/conversations/schema';
import { getTurn } from '@/lib/conversations/service/read-conversations';
import { stopTurn } from '@/lib/conversations/service/stop-turn';

export const POST = route({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/stop',
  summary: 'Stop an answer; what it spent stays booked',
  auth: 'apiKey',
  scopes: ['conversations:write'],
  params: turnParams,
  body: emptyBodySchema,
  response: turnDtoSchema,
  status: 200,
  handle: async ({ scope, params: { conversationId, turnId } }) => {
    await stopTurn(scope, conversationId, turnId);
    return getTurn(scope, conversationId, turnId);
  },
});
