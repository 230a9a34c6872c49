import { turnParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getTurn } from '@/lib/conversations/read-conversations';
import { turnDtoSchema } from '@/lib/conversations/schema';
import { answerQuestion, answerSchema } from '@/lib/engine/kinds/turn/questions';

export const POST = route({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/answer',
  summary: 'Answer a question of the agent; only the first answer counts',
  auth: 'apiKey',
  scopes: ['conversations:write'],
  params: turnParams,
  body: answerSchema,
  response: turnDtoSchema,
  status: 200,
  handle: async ({ scope, params: { conversationId, turnId }, body }) => {
    await answerQuestion(scope, conversationId, turnId, body);
    return getTurn(scope, conversationId, turnId);
  },
  answerAgain: ({ scope, params: { conversationId, turnId } }) =>
    getTurn(scope, conversationId, turnId),
});
