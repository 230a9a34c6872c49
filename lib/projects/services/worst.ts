import type { CheckResultEvent } from '@/lib/protocol/events';

type Verdict = Pick<CheckResultEvent, 'status' | 'error' | 'responseTimeMs'>;

const ORDER = { healthy: 0, degraded: 1, down: 2 } as const;

/** A service is as well as its worst check; of a check that ran twice, the later run counts. */
export function worstOf(results: readonly CheckResultEvent[]): Verdict {
  const latest = new Map(results.map((result) => [`${result.type} ${result.target}`, result]));
  const [first, ...rest] = [...latest.values()];
  if (!first) throw new Error('A verdict needs at least one check result.');
  return rest.reduce<Verdict>(
    (worst, result) => (ORDER[result.status] > ORDER[worst.status] ? result : worst),
    first,
  );
}
