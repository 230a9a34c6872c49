import { createHash } from 'node:crypto';
import type { Directive, DirectivesResponse } from '@/lib/protocol/schema';
import { checkSchema } from '@/lib/protocol/spec';
import { directivesFor } from './attempts/directives';

export interface RunnerOrders {
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
