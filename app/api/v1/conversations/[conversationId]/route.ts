import { conversationParams } from '@/lib/api/params';
import { conversationDetailSchema } from '@/lib/conversations/schema';
import { getConversation } from '@/lib/conversations/service/read-conversations';
import { route } from '@/lib/http/route';

export const GET = route({
  method: 'GET',
  path: '/api/v1/conversations/{conversationId}',
  summary: 'Get a conversation, with the agents that may be asked in it',
  auth: 'apiKey',
  scopes: ['conversations:read'],
  params: conversationParams,
  response: conversationDetailSchema,
  handle: ({ scope, params }) => getConversation(scope, params.conversationId),
});
