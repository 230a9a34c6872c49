/** Checks that the agent asks for by its tool: the runner runs them, so their results are facts. */
import type { CheckStatus, RunCheckCommand } from '@/lib/protocol/checks/outcome';
import { type CheckOutcome, runServiceChecks } from '@/lib/protocol/checks/run-check';
import type { CheckResultEvent } from '@/lib/protocol/events';
import type { ServiceSpec, Tier } from '@/lib/protocol/spec';
import type { Answer } from '../agent-socket/messages';

interface RequestedChecks {
  /** @param service all services if absent */
  answer(service?: string): Promise<Answer>;
  /** Whether any check ran. */
  readonly hasRun: boolean;
}

/** Far above what an agent at work asks for; a loop in a shell must not load the services. */
const MAX_REQUESTS_A_MINUTE = 60;

/** @param runCommand as for `runCheck` */
export function answerChecks(
  { services }: { services: readonly ServiceSpec[] },
  add: (check: CheckResultEvent) => void,
  runCommand?: RunCheckCommand,
): RequestedChecks {
  let hasRun = false;
  let requests: number[] = [];

  function isTooMuch(): boolean {
    const now = performance.now();
    requests = [...requests.filter((at) => at > now - 60_000), now];
    requests = requests.slice(-MAX_REQUESTS_A_MINUTE - 1);
    return requests.length > MAX_REQUESTS_A_MINUTE;
  }

  async function checkOne(service: ServiceSpec): Promise<string> {
    const outcomes = await runServiceChecks(service, runCommand);
    for (const outcome of outcomes) {
      hasRun = true;
      add({ kind: 'check_result', ...outcome });
    }
    return checkAnswer(service.name, outcomes);
  }

  return {
    async answer(service) {
      if (isTooMuch()) return { ok: false, error: 'Too many checks. Try again in a minute.' };
      const wanted = services.filter(({ name }) => service === undefined || name === service);
      if (wanted.length > 0) {
        return { ok: true, text: (await Promise.all(wanted.map(checkOne))).join('\n') };
      }
      if (service === undefined) return { ok: true, text: 'No services are configured.' };
      const known = services.map(({ name }) => name).join(', ') || 'none';
      return {
        ok: false,
        error: `There is no service "${service}". Configured services: ${known}.`,
      };
    },
    get hasRun() {
      return hasRun;
    },
  };
}

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

const SERVICES_AT_ONCE = 8;

/**
 * Whether the runner looks for itself once the agent has ended: after a tier that may have changed
 * something, and after an observing one that asked for no check.
 */
export function needsFinalChecks(tier: Tier, sawChecks: boolean): boolean {
  return tier > 1 || !sawChecks;
}

/**
 * Runs all checks of all services, and returns events in the order of the services.
 *
 * @param runCommand as for `runCheck`
 */
export async function runFinalChecks(
  services: readonly ServiceSpec[],
  runCommand?: RunCheckCommand,
): Promise<CheckResultEvent[]> {
  const results: CheckResultEvent[] = [];
  for (let from = 0; from < services.length; from += SERVICES_AT_ONCE) {
    const some = services.slice(from, from + SERVICES_AT_ONCE);
    const outcomes = (
      await Promise.all(some.map((service) => runServiceChecks(service, runCommand)))
    ).flat();
    results.push(...outcomes.map((outcome) => ({ kind: 'check_result' as const, ...outcome })));
  }
  return results;
}
