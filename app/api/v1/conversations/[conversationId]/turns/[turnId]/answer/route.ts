import { turnParams } from '@/lib/api/params';
import { route } from '@/lib/api/route';
import { answerSchema, turnDtoSchema } from '@/lib/conversations/schema';
import { answerQuestion } from '@/lib/conversations/service/answer-question';
import { getTurn } from '@/lib/conversations/service/read-conversations';

export const POST = route({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/answer',
  summary: 'Answer what the agent asks, once',
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
});
