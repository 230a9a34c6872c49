import { turnParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getTurn } from '@/lib/conversations/read-conversations';
import { retryTurnSchema, turnDtoSchema } from '@/lib/conversations/schema';
import { retryTurn } from '@/lib/conversations/turns';

export const POST = route({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/retry',
  summary: 'Retry a turn from the transcript of the turns before it',
  auth: 'apiKey',
  scopes: ['conversations:write'],
  params: turnParams,
  body: retryTurnSchema,
  response: turnDtoSchema,
  handle: async ({ scope, params: { conversationId, turnId }, body }) =>
    getTurn(scope, conversationId, await retryTurn(scope, conversationId, turnId, body)),
  answerAgain: ({ scope, params }, target) => getTurn(scope, params.conversationId, target),
});
