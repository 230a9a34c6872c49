import type { Directive } from '@/lib/runner-protocol/schema';
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
  },
  fence: number,
): Directive[] {
  if (!isCurrentRun(attempt, fence)) {
    return [{ kind: 'stop', attemptId: attempt.id, reason: 'fenced' }];
  }
  if (!attempt.stopRequestedAt) return [];
  const reason = REASONS.find((known) => known === attempt.stopCause) ?? 'operator';
  return [{ kind: 'stop', attemptId: attempt.id, reason }];
}
