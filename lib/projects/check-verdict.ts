import type { CheckResultEvent } from '@/lib/protocol/events';

type Result = Pick<CheckResultEvent, 'type' | 'target' | 'status' | 'error' | 'responseTimeMs'>;

interface Verdict {
  /** By the last result of each check. */
  status: Result['status'];
  /** By the first result of each check. */
  before: Result['status'];
  /** By every result, so that an outage that was repaired in between isn't lost. */
  worst: Result['status'];
  /** Of the check that decides the status. */
  error: string;
  /** Of the slowest check that answered; null when none was timed. */
  responseTimeMs: number | null;
}

const ORDER = { healthy: 0, degraded: 1, down: 2 } as const;

/**
 * Returns what results of one service, oldest first, say about it: a service is as well as its
 * worst check.
 *
 * @throws Error without a result
 */
export function verdictOf(results: readonly Result[]): Verdict {
  const latest = lastOfEach(results);
  const { status, error } = worstOf(latest);
  const times = latest.flatMap(({ responseTimeMs }) => responseTimeMs ?? []);
  return {
    status,
    error,
    before: worstOf(lastOfEach(results.toReversed())).status,
    worst: worstOf(results).status,
    responseTimeMs: times.length > 0 ? Math.max(...times) : null,
  };
}

function lastOfEach(results: readonly Result[]): Result[] {
  return [
    ...new Map(results.map((result) => [`${result.type} ${result.target}`, result])).values(),
  ];
}

function worstOf([first, ...rest]: readonly Result[]): Result {
  if (!first) throw new Error('A verdict needs at least one check result.');
  return rest.reduce(
    (worst, result) => (ORDER[result.status] > ORDER[worst.status] ? result : worst),
    first,
  );
}
