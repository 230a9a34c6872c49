import type { TurnDto } from '@/lib/conversations/schema';

const MOVING = ['queued', 'waiting', 'running', 'stopping'];

/** It waits for a runner, or its process runs. */
export function isMoving({ status }: Pick<TurnDto, 'status'>): boolean {
  return MOVING.includes(status);
}

type Told = Pick<TurnDto, 'status' | 'statusText' | 'position' | 'agent' | 'questions'>;

/**
 * Where a conversation stands, and why. `turns`: those in its history, the last one last. An agent
 * is named where there are several to choose from.
 */
export function conversationSentence(turns: readonly Told[], agents: number): string {
  const last = turns.at(-1);
  if (!last) return 'Everything that was said here was taken out. Ask again to go on.';
  const { status, statusText, position, questions } = last;
  const agent = agents > 1 ? last.agent : 'The agent';
  if (questions.some((question) => question.status === 'open')) {
    return `${agent} asks something in turn ${position}, and waits for your answer.`;
  }
  if (status === 'running') return `${agent} is answering turn ${position}.`;
  if (status === 'completed') return `${agent} has answered turn ${position}.`;
  return `Turn ${position}: ${statusText}`;
}
