'use server';

import { actionOf } from '@/app/_actions/action-of';
import * as conversations from '@/lib/operations/conversations';
import * as turns from '@/lib/operations/turns';

export const startConversation = actionOf(conversations.start);
export const renameConversation = actionOf(conversations.rename);
export const deleteConversation = actionOf(conversations.remove);
export const askTurn = actionOf(turns.ask);
export const editTurn = actionOf(turns.edit);
export const retryTurn = actionOf(turns.retry);
export const cutTurn = actionOf(turns.cut);
export const stopTurn = actionOf(turns.stop);
export const answerQuestion = actionOf(turns.answer);
