import type { TurnDto } from '@/lib/conversations/schema';

const MOVING = ['queued', 'waiting', 'running', 'stopping'];

/** It waits for a runner, or its process runs. */
export function isMoving({ status }: Pick<TurnDto, 'status'>): boolean {
  return MOVING.includes(status);
}

/** One that is being stopped reads no answer anymore. */
function asksNow({ status, questions }: Pick<TurnDto, 'status' | 'questions'>): boolean {
  return status === 'running' && questions.some((question) => question.status === 'open');
}

/** Why nothing can be sent now; null where it can. `turns`: those in its history. */
export function heldBecause(
  turns: readonly Pick<TurnDto, 'status' | 'position' | 'questions'>[],
): string | null {
  const moving = turns.find(isMoving);
  if (!moving) return null;
  const { status, position } = moving;
  const kept = 'Your draft stays here until then.';
  if (asksNow(moving)) {
    return `The agent answers turn ${position} once its question above is answered. ${kept}`;
  }
  return status === 'queued' || status === 'waiting'
    ? `Turn ${position} has to be answered first, and waits to begin. ${kept}`
    : `The agent is still answering turn ${position}. ${kept}`;
}

type ShownTurn = Pick<TurnDto, 'status' | 'statusText' | 'position' | 'agent' | 'questions'>;

/**
 * Where a conversation stands, and why. `turns`: those in its history, the last one last. An agent
 * is named where there are several to choose from.
 */
export function conversationSentence(turns: readonly ShownTurn[], agents: number): string {
  const last = turns.at(-1);
  if (!last) return 'All messages in this conversation were removed. Ask again to continue.';
  const { status, statusText, position } = last;
  const agent = agents > 1 ? last.agent : 'The agent';
  if (asksNow(last)) {
    return `${agent} asks something in turn ${position}, and waits for an answer.`;
  }
  if (status === 'running') return `${agent} is answering turn ${position}.`;
  if (status === 'completed') return `${agent} answered turn ${position}.`;
  return `Turn ${position}: ${statusText}`;
}
