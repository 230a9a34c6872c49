import { createHash } from 'node:crypto';
import { questionAnswersSchema } from '@/lib/protocol/events';
import type { Directive, DirectivesResponse } from '@/lib/protocol/schema';
import { checkSchema } from '@/lib/protocol/spec';
import { isCurrentRun } from '../attempt/fencing';

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

interface RunnerOrders {
  drainingAt: Date | null;
  pausedAt: Date | null;
  revokedAt: Date | null;
  slotLimit: number | null;
  rotationRequestedAt: Date | null;
}

interface CheckTestRow {
  id: string;
  service: string;
  check: unknown;
}

type RunningAttempt = Parameters<typeof directivesFor>[0];

/**
 * Everything that a runner has to be told now.
 *
 * @param attempts those that the control plane knows it to run
 * @param believed those that the runner itself says it runs
 * @param tests checks that people try on it
 */
export function directivesNow(
  runner: RunnerOrders,
  attempts: readonly RunningAttempt[],
  believed: readonly { attemptId: string; fence: number }[],
  tests: readonly CheckTestRow[] = [],
): Required<DirectivesResponse> {
  const directives: Directive[] = attempts.flatMap((attempt) =>
    directivesFor(attempt, attempt.fence),
  );
  const known = new Map(attempts.map((attempt) => [attempt.id, attempt.fence]));
  for (const { attemptId, fence } of believed) {
    if (known.get(attemptId) !== fence) {
      directives.push({ kind: 'stop', attemptId, reason: 'fenced' });
    }
  }
  // To the host the two are one: it ends what it has and takes nothing new.
  if (runner.drainingAt || runner.pausedAt) directives.push({ kind: 'drain' });
  if (runner.slotLimit !== null) directives.push({ kind: 'limit', slots: runner.slotLimit });
  if (runner.rotationRequestedAt) directives.push({ kind: 'rotate_key' });
  for (const { id, service, check } of tests) {
    directives.push({ kind: 'check', testId: id, service, check: checkSchema.parse(check) });
  }
  if (runner.revokedAt) directives.push({ kind: 'revoked' });
  // A key that was asked for once more is another request.
  const said = [directives, runner.rotationRequestedAt];
  return { directives, digest: digestOf(said) };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** What a runner that was told nothing yet is taken to have seen. */
export const NOTHING_SAID = digestOf([[], null]);
