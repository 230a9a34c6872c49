import { getTurn, listTurns } from '@/lib/conversations/read-conversations';
import {
  editTurnSchema,
  newTurnSchema,
  retryTurnSchema,
  turnDtoSchema,
  turnQuerySchema,
} from '@/lib/conversations/schema';
import { askTurn, cutTurn, editTurn, retryTurn, stopTurn } from '@/lib/conversations/turns';
import { answerQuestion, answerSchema } from '@/lib/engine/kinds/turn/questions';
import { pageSchema } from '@/lib/platform/http/cursor';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const answer = operation({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/answer',
  summary: 'Answer a question of the agent; only the first answer counts',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  status: 200,
  body: answerSchema,
  example: {
    questionId: 'qst_0000000000000000000000',
    answers: [{ question: 'Which service?', answer: 'web' }],
  },
  response: turnDtoSchema,
  refusals: {
    409: 'Someone has already answered, or the agent is no longer waiting.',
  },
  run: ({ scope, params: { conversationId, turnId }, body }) =>
    answerQuestion(scope, conversationId, turnId, body),
  answer: ({ scope, params: { conversationId, turnId } }) => getTurn(scope, conversationId, turnId),
});

export const retry = operation({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/retry',
  summary: 'Retry a turn from the transcript of the turns before it',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  body: retryTurnSchema,
  example: { agent: 'claude' },
  response: turnDtoSchema,
  refusals: {
    409: 'The turn was already removed from the history.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  run: ({ scope, params: { conversationId, turnId }, body }) =>
    retryTurn(scope, conversationId, turnId, body),
  answer: ({ scope, params }, target) => getTurn(scope, params.conversationId, target),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}',
  summary: 'Get a turn: message, answer, how it began and why, usage, questions',
  act: 'organization.read',
  scopes: ['conversations:read'],
  response: turnDtoSchema,
  run: ({ scope, params }) => getTurn(scope, params.conversationId, params.turnId),
});

export const edit = operation({
  method: 'PATCH',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}',
  summary: 'Edit a message and send it again; the old turn and all later turns leave the history',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  body: editTurnSchema,
  example: {
    message: 'Is the disk of web still filling?',
  },
  response: turnDtoSchema,
  refusals: {
    409: 'The turn was already removed from the history.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  run: async ({ scope, params: { conversationId, turnId }, body }) =>
    getTurn(scope, conversationId, await editTurn(scope, conversationId, turnId, body)),
});

export const cut = operation({
  method: 'DELETE',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}',
  summary: 'Remove a turn and all later turns from the history; costs and logs stay',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  refusals: {
    409: 'The turn was already removed from the history.',
  },
  run: ({ scope, params }) => cutTurn(scope, params.conversationId, params.turnId),
});

export const stop = operation({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns/{turnId}/stop',
  summary: 'Stop an answer; its costs stay booked',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  status: 200,
  body: emptyBodySchema,
  response: turnDtoSchema,
  refusals: {
    409: 'The answer has ended.',
  },
  run: ({ scope, params: { conversationId, turnId } }) => stopTurn(scope, conversationId, turnId),
  answer: ({ scope, params: { conversationId, turnId } }) => getTurn(scope, conversationId, turnId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/conversations/{conversationId}/turns',
  summary: 'List the turns of a conversation in their order, all on one page',
  act: 'organization.read',
  scopes: ['conversations:read'],
  query: turnQuerySchema,
  response: pageSchema(turnDtoSchema),
  run: async ({ scope, params, query }) => ({
    data: await listTurns(scope, params.conversationId, query),
    nextCursor: null,
  }),
});

export const ask = operation({
  method: 'POST',
  path: '/api/v1/conversations/{conversationId}/turns',
  summary: 'Ask a follow-up question; 409 while the agent is answering',
  act: 'conversation.ask',
  scopes: ['conversations:write'],
  body: newTurnSchema,
  example: { message: 'And since when?' },
  response: turnDtoSchema,
  refusals: {
    409: 'The agent is still answering; `turnId` names the turn.',
    412: 'The project is paused, a budget is used up, or its pool does not exist.',
  },
  run: ({ scope, params, body }) => askTurn(scope, params.conversationId, body),
  answer: ({ scope, params }, target) => getTurn(scope, params.conversationId, target),
});
