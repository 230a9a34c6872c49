import { conversationParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getTurn, listTurns } from '@/lib/conversations/read-conversations';
import { newTurnSchema, turnDtoSchema, turnQuerySchema } from '@/lib/conversations/schema';
import { askTurn } from '@/lib/conversations/turns';
import { pageSchema } from '@/lib/platform/http/cursor';

const shared = {
  path: '/api/v1/conversations/{conversationId}/turns',
  auth: 'apiKey',
  params: conversationParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'List the turns of a conversation in their order, all on one page',
  scopes: ['conversations:read'],
  query: turnQuerySchema,
  response: pageSchema(turnDtoSchema),
  handle: async ({ scope, params, query }) => ({
    data: await listTurns(scope, params.conversationId, query),
    nextCursor: null,
  }),
});

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Ask a follow-up question; 409 while the agent is answering',
  scopes: ['conversations:write'],
  body: newTurnSchema,
  response: turnDtoSchema,
  handle: async ({ scope, params, body }) =>
    getTurn(scope, params.conversationId, await askTurn(scope, params.conversationId, body)),
  answerAgain: ({ scope, params }, target) => getTurn(scope, params.conversationId, target),
});
