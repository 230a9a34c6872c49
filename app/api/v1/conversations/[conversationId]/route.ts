import { conversationParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { deleteConversation, renameConversation } from '@/lib/conversations/manage-conversations';
import { getConversation } from '@/lib/conversations/read-conversations';
import { conversationDetailSchema, renameSchema } from '@/lib/conversations/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/conversations/{conversationId}',
  summary: 'Get a conversation and the agents available in it',
  auth: 'apiKey',
  scopes: ['conversations:read'],
  params: conversationParams,
  response: conversationDetailSchema,
  handle: ({ scope, params }) => getConversation(scope, params.conversationId),
});

export const PATCH = route({
  method: 'PATCH',
  path: '/api/v1/conversations/{conversationId}',
  summary: 'Rename a conversation',
  auth: 'apiKey',
  scopes: ['conversations:write'],
  params: conversationParams,
  body: renameSchema,
  response: conversationDetailSchema,
  async handle({ scope, params, body }) {
    await renameConversation(scope, params.conversationId, body);
    return getConversation(scope, params.conversationId);
  },
});

export const DELETE = route({
  method: 'DELETE',
  path: '/api/v1/conversations/{conversationId}',
  summary: 'Delete a conversation with its messages, answers and logs; its costs stay booked',
  auth: 'apiKey',
  scopes: ['conversations:write'],
  params: conversationParams,
  status: 204,
  handle: async ({ scope, params }) => {
    await deleteConversation(scope, params.conversationId);
    return undefined;
  },
});
