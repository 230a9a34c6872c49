import { questionAnswersSchema } from '@/lib/protocol/events';
import type { Directive } from '@/lib/protocol/schema';
import { isCurrentRun } from './fencing';

const REASONS = ['operator', 'fenced', 'cooldown', 'budget', 'policy'] as const;

/** What a runner has to be told about an attempt that it runs under `fence`. */
export function directivesFor(
  attempt: {
    id: string;
    status: string;
    fence: number;
    stopRequestedAt: Date | null;
    stopCause: string | null;
    checkpointRequestedAt: Date | null;
    /** Answered and not handed over yet; absent where nobody has looked. */
    questions?: readonly { requestId: string; answers: unknown }[];
  },
  fence: number,
): Directive[] {
  if (!isCurrentRun(attempt, fence)) {
    return [{ kind: 'stop', attemptId: attempt.id, reason: 'fenced' }];
  }
  // The end of the process brings a checkpoint by itself.
  if (!attempt.stopRequestedAt) return [...checkpointDirective(attempt), ...answers(attempt)];
  const reason = REASONS.find((known) => known === attempt.stopCause) ?? 'operator';
  return [{ kind: 'stop', attemptId: attempt.id, reason }];
}

function checkpointDirective({
  id,
  checkpointRequestedAt,
}: {
  id: string;
  checkpointRequestedAt: Date | null;
}): Directive[] {
  if (!checkpointRequestedAt) return [];
  return [{ kind: 'checkpoint', attemptId: id, requestedAt: checkpointRequestedAt.toISOString() }];
}

function answers({ id, questions = [] }: Parameters<typeof directivesFor>[0]): Directive[] {
  return questions.map((question) => ({
    kind: 'answer',
    attemptId: id,
    requestId: question.requestId,
    answers: questionAnswersSchema.parse(question.answers),
  }));
}
