import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { getConversation, getTurn, listTurns } from '@/lib/conversations/read-conversations';
import type { TurnDto } from '@/lib/conversations/schema';
import { onShutdown } from '@/lib/platform/closing';
import { NotFoundError } from '@/lib/platform/errors';
import { idReference } from '../references';
import { isSettled, showTurn, turnSchema } from '../show-turn';
import { defineTool, READS, type ToolCall } from '../tool';

export const CONVERSATION = {
  prefix: 'cnv',
  noun: 'a conversation',
  list: 'ask_project returns it',
} as const;

const MAX_WAIT_SECONDS = 30;
const LOOK_EVERY_MS = 1_000;

export const getAnswerTool = defineTool({
  name: 'get_answer',
  title: 'Get an answer',
  description: `Use it after ask_project: returns the answer to the newest question of a conversation, and waits for it up to ${MAX_WAIT_SECONDS} s. If is_answered is false and ended_at is missing, call it again. Identify the conversation by id (cnv_…) or URL.`,
  scopes: ['conversations:read'],
  annotations: READS,
  input: z.strictObject({
    conversation: z.string().min(1).max(500).meta({ description: 'Id (cnv_…) or URL.' }),
    wait_seconds: z
      .number()
      .int()
      .min(0)
      .max(MAX_WAIT_SECONDS)
      .default(20)
      .meta({ description: `How long to wait, at most ${MAX_WAIT_SECONDS}.` }),
  }),
  output: turnSchema,
  run: async (call, { conversation, wait_seconds: waitSeconds }) => {
    const id = idReference(CONVERSATION, conversation, call.place);
    const { project } = await getConversation(call.scope, id);
    const newest = (await listTurns(call.scope, id, { withCut: false })).at(-1);
    if (!newest) throw new NotFoundError('The conversation has no questions now.');
    const turn = await settled(call, newest, Date.now() + waitSeconds * 1_000);
    return showTurn(turn, call.links.conversation(project.slug, id));
  },
});

/** Looks again until the answer is there, the time is over, the client is gone, or the process ends. */
async function settled(call: ToolCall, turn: TurnDto, until: number): Promise<TurnDto> {
  const shutdown = new AbortController();
  const unregister = onShutdown(() => shutdown.abort());
  const signal = AbortSignal.any([call.signal, shutdown.signal]);
  try {
    let latest = turn;
    while (!isSettled(latest) && Date.now() < until && !signal.aborted) {
      const left = Math.max(0, until - Date.now());
      await delay(Math.min(LOOK_EVERY_MS, left), undefined, { signal }).catch(() => undefined);
      latest = await getTurn(call.scope, latest.conversationId, latest.id);
    }
    return latest;
  } finally {
    unregister();
  }
}
