'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  deleteConversation as remove,
  renameConversation as rename,
  startConversation as start,
} from '@/lib/conversations/manage-conversations';
import {
  editTurnSchema,
  newConversationSchema,
  newTurnSchema,
  renameSchema,
  retryTurnSchema,
} from '@/lib/conversations/schema';
import {
  askTurn as ask,
  cutTurn as cut,
  editTurn as edit,
  retryTurn as retry,
  stopTurn as stop,
} from '@/lib/conversations/turns';
import { answerQuestion as answer, answerSchema } from '@/lib/engine/kinds/turn/questions';

const ofConversation = z.object({ conversationId: z.string() });
const ofTurn = ofConversation.extend({ turnId: z.string() });

export const startConversation = action(newConversationSchema, async ({ scope, input }) =>
  start(scope, input),
);

export const askTurn = action(
  ofConversation.extend(newTurnSchema.shape),
  async ({ scope, input: { conversationId, ...turn } }) => {
    await ask(scope, conversationId, turn);
  },
);

export const renameConversation = action(
  ofConversation.extend(renameSchema.shape),
  async ({ scope, input: { conversationId, title } }) => {
    await rename(scope, conversationId, { title });
  },
);

export const deleteConversation = action(ofConversation, async ({ scope, input }) => {
  await remove(scope, input.conversationId);
});

/** Another message in the place of a turn; what followed it leaves the history. */
export const editTurn = action(
  ofTurn.extend(editTurnSchema.shape),
  async ({ scope, input: { conversationId, turnId, ...turn } }) => {
    await edit(scope, conversationId, turnId, turn);
  },
);

export const retryTurn = action(
  ofTurn.extend(retryTurnSchema.shape),
  async ({ scope, input: { conversationId, turnId, agent } }) => {
    await retry(scope, conversationId, turnId, { agent });
  },
);

export const cutTurn = action(ofTurn, async ({ scope, input }) => {
  await cut(scope, input.conversationId, input.turnId);
});

export const stopTurn = action(ofTurn, async ({ scope, input }) => {
  await stop(scope, input.conversationId, input.turnId);
});

export const answerQuestion = action(
  ofTurn.extend(answerSchema.shape),
  async ({ scope, input: { conversationId, turnId, questionId, answers } }) => {
    await answer(scope, conversationId, turnId, { questionId, answers });
  },
);
