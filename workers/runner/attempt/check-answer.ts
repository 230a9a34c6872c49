import type { CheckStatus } from '@/lib/protocol/checks/outcome';
import type { CheckOutcome } from '@/lib/protocol/checks/run-check';

/** A check that couldn't run is no proof of an outage, but its service didn't pass either. */
const severity: Record<CheckStatus, number> = { healthy: 0, unknown: 1, degraded: 2, down: 3 };

/** The worst status of a service's checks; healthy when it has none. */
function worstStatus(outcomes: CheckOutcome[]): CheckStatus {
  return outcomes.reduce<CheckStatus>(
    (worst, { status }) => (severity[status] > severity[worst] ? status : worst),
    'healthy',
  );
}

/** What the agent reads: a line per service, and one below it per check. */
export function checkAnswer(service: string, outcomes: CheckOutcome[]): string {
  if (outcomes.length === 0) return `${service}: no checks are configured`;
  const lines = outcomes.map(({ type, target, status, error, responseTimeMs }) => {
    const time = responseTimeMs === null ? '' : ` (${responseTimeMs} ms)`;
    const state = status === 'unknown' ? 'unknown, the check could not run' : status;
    return `  ${type} ${target}: ${state}${time}${error ? `. ${error}` : ''}`;
  });
  return [`${service}: ${worstStatus(outcomes)}`, ...lines].join('\n');
}
