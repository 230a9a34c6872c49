import { emptyBodySchema, turnParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getTurn } from '@/lib/conversations/read-conversations';
import { turnDtoSchema } from '@/lib/conversations/schema';
import { stopTurn } from '@/lib/conversations/turns';

export const POST = route({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/stop',
  summary: 'Stop an answer; its costs stay booked',
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
  answerAgain: ({ scope, params: { conversationId, turnId } }) =>
    getTurn(scope, conversationId, turnId),
});
