/** Turns of conversations as tools return them. */
import { z } from 'zod';
import type { TurnDto } from '@/lib/conversations/schema';
import { plainLine, untrusted, untrustedSchema } from './untrusted';

const ANSWER_CHARS = 16_000;

export const turnSchema = z.object({
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

export function showTurn(turn: TurnDto, url: string) {
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
