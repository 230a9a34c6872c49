import type { CheckOutcome, CheckStatus } from '@/lib/protocol/checks/outcome';

const severity: Record<CheckStatus, number> = { healthy: 0, degraded: 1, down: 2 };

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
    return `  ${type} ${target}: ${status}${time}${error ? `. ${error}` : ''}`;
  });
  return [`${service}: ${worstStatus(outcomes)}`, ...lines].join('\n');
}
