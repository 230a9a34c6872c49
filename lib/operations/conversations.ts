import {
  deleteConversation,
  renameConversation,
  startConversation,
} from '@/lib/conversations/manage-conversations';
import { getConversation, listConversations } from '@/lib/conversations/read-conversations';
import {
  conversationDetailSchema,
  conversationDtoSchema,
  conversationQuerySchema,
  newConversationSchema,
  renameSchema,
} from '@/lib/conversations/schema';
import { pageSchema } from '@/lib/platform/http/cursor';
import { operation } from './operation';

export const get = operation({
  method: 'GET',
  path: '/api/v1/conversations/{conversationId}',
  summary: 'Get a conversation and the agents available in it',
  act: 'organization.read',
  scopes: ['conversations:read'],
  response: conversationDetailSchema,
  run: ({ scope, params }) => getConversation(scope, params.conversationId),
});

export const rename = operation({
  method: 'PATCH',
  path: '/api/v1/conversations/{conversationId}',
  summary: 'Rename a conversation',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  body: renameSchema,
  example: { title: 'Outage of web' },
  response: conversationDetailSchema,
  run: ({ scope, params, body }) => renameConversation(scope, params.conversationId, body),
  answer: ({ scope, params }) => getConversation(scope, params.conversationId),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/conversations/{conversationId}',
  summary: 'Delete a conversation with its messages, answers and logs; its costs stay booked',
  act: 'conversation.delete',
  scopes: ['conversations:write'],
  refusals: {
    409: 'The agent is still answering; `turnId` names the turn.',
  },
  run: ({ scope, params }) => deleteConversation(scope, params.conversationId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/conversations',
  summary: 'List conversations, most recently active first',
  act: 'organization.read',
  scopes: ['conversations:read'],
  query: conversationQuerySchema,
  response: pageSchema(conversationDtoSchema),
  run: ({ scope, query }) => listConversations(scope, query),
});

export const start = operation({
  method: 'POST',
  path: '/api/v1/conversations',
  summary: 'Ask about a project, or about a chain that has ended',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  body: newConversationSchema,
  example: { project: 'checkout', message: 'Is the disk still filling?' },
  response: conversationDetailSchema,
  refusals: {
    409: 'The chain is still running.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  run: async ({ scope, body }) => (await startConversation(scope, body)).conversationId,
  answer: ({ scope }, target) => getConversation(scope, target),
});
