/**
 * What an agent's claim about services is worth, beside what was measured. Pure.
 *
 * | the service's checks in this attempt | an alert about it fires | a claim that it is broken |
 * | --- | --- | --- |
 * | all performed, all passed | no | starts no higher tier (`CHECKS_HEALTHY`) |
 * | all performed, all passed | yes | counts: the alert sees what the checks don't |
 * | one failed | | counts |
 * | one not performed, skipped or unknown | | counts: nothing is proven |
 * | it has none | | counts: nothing is proven |
 *
 * A claim that it was fixed needs a check that failed before the tier could change anything, or an alert.
 */

import { shownCheck } from '@/lib/protocol/checks/describe-check';
import type { ServiceSpec } from '@/lib/protocol/spec';
import { type CheckFact, unique } from './affected';
import type { EscalationFacts } from './schema';

/** Returns those of the named services that may be broken, as far as is known. */
export function openServices(
  named: readonly string[],
  { evidence: { provenHealthy, signals } }: Pick<EscalationFacts, 'evidence'>,
): string[] {
  if (signals.isUnnamedFiring) return [...named];
  return named.filter((name) => signals.firing.includes(name) || !provenHealthy.includes(name));
}

/**
 * Returns the services that a reported fix is credited for: those that were broken before, of those that the
 * tier acted on. If it acted on others, it may have repaired what they depend on.
 */
export function fixedServices(
  actedOn: readonly string[],
  { evidence: { failedBefore, signals } }: Pick<EscalationFacts, 'evidence'>,
): string[] {
  if (signals.isUnnamedReported && actedOn.length > 0) return [...actedOn];
  const broken = unique([...failedBefore, ...signals.reported]);
  const repaired = actedOn.filter((name) => broken.includes(name));
  return repaired.length > 0 ? repaired : broken;
}

/**
 * Returns the services whose every check was performed and passed. A service without checks isn't one.
 *
 * @param checks of one attempt, oldest first
 */
export function provenHealthy(
  services: readonly ServiceSpec[],
  checks: readonly CheckFact[],
): string[] {
  return services
    .filter((service) => service.checks.length > 0 && passedAll(service, checks))
    .map(({ name }) => name);
}

function passedAll({ name, checks: specs }: ServiceSpec, checks: readonly CheckFact[]): boolean {
  const keys = specs.map((spec) => JSON.stringify([spec.type, shownCheck(spec)]));
  return [...new Set(keys)].every((key) => {
    // Checks that differ in other fields are shown alike: the last results are theirs.
    const alike = keys.filter((other) => other === key).length;
    const results = checks
      .filter(
        ({ service, type, target }) => service === name && JSON.stringify([type, target]) === key,
      )
      .slice(-alike);
    return results.length === alike && results.every(({ status }) => status === 'healthy');
  });
}
