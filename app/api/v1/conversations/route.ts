import { route } from '@/lib/api/route';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { getConversation, listConversations } from '@/lib/conversations/read-conversations';
import {
  conversationDetailSchema,
  conversationDtoSchema,
  conversationQuerySchema,
  newConversationSchema,
} from '@/lib/conversations/schema';
import { pageSchema } from '@/lib/platform/http/cursor';

const shared = { path: '/api/v1/conversations', auth: 'apiKey' } as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'List conversations, most recently active first',
  scopes: ['conversations:read'],
  query: conversationQuerySchema,
  response: pageSchema(conversationDtoSchema),
  handle: ({ scope, query }) => listConversations(scope, query),
});

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Ask about a project, or about a chain that has ended',
  scopes: ['conversations:write'],
  body: newConversationSchema,
  response: conversationDetailSchema,
  handle: async ({ scope, body }) => {
    const { conversationId } = await startConversation(scope, body);
    return getConversation(scope, conversationId);
  },
  answerAgain: ({ scope }, target) => getConversation(scope, target),
});
