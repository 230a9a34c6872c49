import type { QuestionDto, TurnDto } from '@/lib/conversations/schema';
import { formatCost } from '@/lib/platform/format/cost';
import { visibleText } from '@/lib/platform/format/visible-text';

/** Returns the answer, followed by a line with agent, tokens and cost. */
export function turnText(turn: TurnDto): string {
  const { usage, start } = turn;
  const tokens = `${usage.newInputTokens.toLocaleString('en')} new tokens, ${usage.cachedInputTokens.toLocaleString('en')} from cache`;
  const cost = `${formatCost(usage.costUsd * 1_000_000)}${usage.isCostEstimated ? ' est.' : ''}`;
  const lines = [
    turn.answer ?? `Not answered: ${turn.statusText}`,
    '',
    `${turn.conversationId}, turn ${turn.position}, ${turn.agent}, ${tokens}, ${cost}`,
    ...(start ? [start.sentence] : []),
    ...(turn.continued === null ? [] : [turn.continued]),
  ];
  return visibleText(lines.join('\n'));
}

/** Returns the agent's question with its choices and the command that answers it. */
export function questionText({ questions }: QuestionDto, conversationId: string): string {
  const parts = questions.flatMap(({ question, multiSelect, options }) => [
    `${question}${multiSelect ? ' (several, separated by commas)' : ''}`,
    ...options.map(
      ({ label, description }) => `  ${label}${description ? `: ${description}` : ''}`,
    ),
  ]);
  const hint = `Answer with: tierwatch answer ${conversationId} ${questions.map(() => '"…"').join(' ')}`;
  return visibleText(['The agent asks:', ...parts, hint].join('\n'));
}
