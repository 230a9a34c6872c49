import { turnParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { getTurn } from '@/lib/conversations/read-conversations';
import { editTurnSchema, turnDtoSchema } from '@/lib/conversations/schema';
import { cutTurn, editTurn } from '@/lib/conversations/turns';

const shared = {
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}',
  auth: 'apiKey',
  params: turnParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get a turn: message, answer, how it began and why, usage, questions',
  scopes: ['conversations:read'],
  response: turnDtoSchema,
  handle: ({ scope, params }) => getTurn(scope, params.conversationId, params.turnId),
});

export const PATCH = route({
  ...shared,
  method: 'PATCH',
  summary: 'Send another message in its place; it and what followed leave the history',
  scopes: ['conversations:write'],
  body: editTurnSchema,
  response: turnDtoSchema,
  handle: async ({ scope, params: { conversationId, turnId }, body }) =>
    getTurn(scope, conversationId, await editTurn(scope, conversationId, turnId, body)),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Take a turn and what followed it out of the history; its cost and log stay',
  scopes: ['conversations:write'],
  handle: async ({ scope, params }) => {
    await cutTurn(scope, params.conversationId, params.turnId);
    return undefined;
  },
});
