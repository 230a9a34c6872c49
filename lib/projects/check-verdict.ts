import type { CheckResultEvent } from '@/lib/protocol/events';

type Result = Pick<CheckResultEvent, 'type' | 'target' | 'status' | 'error' | 'responseTimeMs'>;
type Proven = Exclude<Result['status'], 'unknown'>;

interface Verdict {
  /**
   * By the last result of each check. Unknown if a check couldn't be performed and no other failed: then
   * the service didn't pass, and nothing proves an outage.
   */
  status: Result['status'];
  /** Of the check that decides the status. */
  error: string;
  /** What the chain has proven; null where a check couldn't be performed and none failed. */
  proven: ProvenHealth | null;
  /** Of the slowest check that answered; null when none was timed. */
  responseTimeMs: number | null;
}

interface ProvenHealth {
  /** By the last result of each check. An outage whose end couldn't be checked continues. */
  status: Proven;
  /** By the first performed result of each check. */
  before: Proven;
  /** By every result, so that an outage that was repaired in between isn't lost. */
  worst: Proven;
}

/** An unknown result weighs less than a failure, and more than a pass. */
const ORDER: Record<Result['status'], number> = { healthy: 0, unknown: 1, degraded: 2, down: 3 };

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
    proven: provenBy(results, status),
    responseTimeMs: times.length > 0 ? Math.max(...times) : null,
  };
}

function provenBy(results: readonly Result[], status: Result['status']): ProvenHealth | null {
  const performed = results.filter((result) => result.status !== 'unknown');
  if (performed.length === 0) return null;
  const worst = provenStatus(worstOf(performed));
  if (status === 'unknown' && worst === 'healthy') return null;
  return {
    status: status === 'unknown' ? worst : status,
    before: provenStatus(worstOf(lastOfEach(performed.toReversed()))),
    worst,
  };
}

function provenStatus({ status }: Result): Proven {
  if (status === 'unknown') throw new Error('An unknown result proves nothing.');
  return status;
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
