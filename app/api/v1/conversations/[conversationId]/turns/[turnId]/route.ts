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
  summary: 'Edit a message and send it again; the old turn and all later turns leave the history',
  scopes: ['conversations:write'],
  body: editTurnSchema,
  response: turnDtoSchema,
  handle: async ({ scope, params: { conversationId, turnId }, body }) =>
    getTurn(scope, conversationId, await editTurn(scope, conversationId, turnId, body)),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Remove a turn and all later turns from the history; costs and logs stay',
  scopes: ['conversations:write'],
  handle: async ({ scope, params }) => {
    await cutTurn(scope, params.conversationId, params.turnId);
    return undefined;
  },
});
