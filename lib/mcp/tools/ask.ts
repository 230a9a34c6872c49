import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { startConversation } from '@/lib/conversations/manage-conversations';
import { getConversation, getTurn, listTurns } from '@/lib/conversations/read-conversations';
import { newTurnSchema, type TurnDto } from '@/lib/conversations/schema';
import { askTurn } from '@/lib/conversations/turns';
import { onShutdown } from '@/lib/platform/closing';
import { InvalidError, NotFoundError } from '@/lib/platform/errors';
import { chainIdOf, chainInput, projectInput, projectOf } from '../inputs';
import { idReference } from '../references';
import { ACTS, defineTool, READS, type ToolCall } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

const ANSWER_CHARS = 16_000;

const turnSchema = z.object({
  conversation: z.string().meta({ description: 'Id (cnv_…): for get_answer and follow-ups.' }),
  turn: z.string(),
  url: z.string(),
  status: z.string(),
  status_text: untrustedSchema.optional(),
  is_answered: z.boolean(),
  agent: z.string(),
  answer: untrustedSchema.optional(),
  agent_asks: z
    .array(untrustedSchema)
    .optional()
    .meta({ description: 'Questions of the agent that a person has to answer on the page.' }),
  cost_usd: z.number(),
  is_cost_estimated: z.boolean(),
  created_at: z.string(),
  ended_at: z.string().optional(),
});

/** Whether waiting longer can change nothing: it ended, or the agent waits for a person. */
export function isSettled(turn: Pick<TurnDto, 'endedAt' | 'questions'>): boolean {
  return turn.endedAt !== null || turn.questions.some(({ status }) => status === 'open');
}

function showTurn(turn: TurnDto, url: string) {
  const open = turn.questions.filter(({ status }) => status === 'open');
  const asked = open.flatMap(({ questions }) =>
    questions.flatMap(({ question }) => untrusted('question of the agent', question) ?? []),
  );
  return {
    conversation: turn.conversationId,
    turn: turn.id,
    url,
    status: turn.status,
    status_text: untrusted('status of the question', turn.statusText, 500),
    is_answered: turn.answer !== null,
    agent: plainLine(turn.agent),
    answer: untrusted(`answer of agent ${plainLine(turn.agent, 60)}`, turn.answer, ANSWER_CHARS),
    agent_asks: asked.length === 0 ? null : asked,
    cost_usd: turn.usage.costUsd,
    is_cost_estimated: turn.usage.isCostEstimated,
    created_at: turn.createdAt,
    ended_at: turn.endedAt,
  };
}

export const askProjectTool = defineTool({
  name: 'ask_project',
  title: 'Ask about a project or chain',
  description:
    'Use it to ask the project’s own agent a question about the project, about a chain that has ended, or as a follow-up in a conversation. The agent can look at the systems with the rights of tier 1, which costs money and takes up to minutes. Returns at once: call get_answer with the conversation. Give exactly one of project (slug, prj_…, URL), chain ("Chain #5" with the project, chn_…, URL) and conversation (cnv_…, URL).',
  scopes: ['conversations:write'],
  annotations: ACTS,
  input: z.strictObject({
    message: newTurnSchema.shape.message,
    project: projectInput.optional(),
    chain: chainInput.optional(),
    conversation: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .meta({ description: 'Id (cnv_…) or URL of a conversation to continue.' }),
    agent: newTurnSchema.shape.agent,
  }),
  output: turnSchema,
  run: async (call, input) => {
    const { conversationId, turnId } = await ask(call, input);
    const { project } = await getConversation(call.scope, conversationId);
    const turn = await getTurn(call.scope, conversationId, turnId);
    return showTurn(turn, call.links.conversation(project.slug, conversationId));
  },
});

interface Question {
  message: string;
  project?: string | undefined;
  chain?: string | number | undefined;
  conversation?: string | undefined;
  agent?: string | undefined;
}

async function ask(call: ToolCall, { message, project, chain, conversation, agent }: Question) {
  const turn = { message, agent, forceFresh: false };
  if (conversation !== undefined) {
    if (project !== undefined || chain !== undefined) {
      throw new InvalidError(
        'A conversation has its subject already. Give conversation alone, or start another one with project or chain.',
      );
    }
    const conversationId = idReference(CONVERSATION, conversation, call.place);
    return { conversationId, turnId: await askTurn(call.scope, conversationId, turn) };
  }
  if (project === undefined && chain === undefined) {
    throw new InvalidError('Say what to ask about: give project, chain or conversation.');
  }
  const subject =
    chain === undefined
      ? { project: projectOf(call, project) }
      : { chain: await chainIdOf(call, chain, project) };
  return startConversation(call.scope, { ...turn, ...subject });
}

const CONVERSATION = {
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
