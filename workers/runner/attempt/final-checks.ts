import type { RunCheckCommand } from '@/lib/protocol/checks/outcome';
import { runServiceChecks } from '@/lib/protocol/checks/run-check';
import type { CheckResultEvent } from '@/lib/protocol/events';
import type { ServiceSpec, Tier } from '@/lib/protocol/spec';

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
