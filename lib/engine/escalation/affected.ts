import type { CheckResultEvent } from '@/lib/protocol/events';
import type { TierReport } from '@/lib/protocol/report';

/** One check that the runner ran. Later entries of a list are newer. */
export type CheckFact = Pick<
  CheckResultEvent,
  'service' | 'type' | 'target' | 'status' | 'error' | 'responseTimeMs'
>;

/** Returns the newest result of each check, in the order in which the checks first ran. */
export function latestChecks(checks: readonly CheckFact[]): CheckFact[] {
  const latest = new Map<string, CheckFact>();
  for (const check of checks) {
    latest.set(JSON.stringify([check.service, check.type, check.target]), check);
  }
  return [...latest.values()];
}

/** A check that was performed, so that its status is proven. */
export type PerformedCheck = CheckFact & { status: Exclude<CheckFact['status'], 'unknown'> };

export function isPerformed(check: CheckFact): check is PerformedCheck {
  return check.status !== 'unknown';
}

/** Returns the services with a check that is degraded or down now, in order. */
export function unhealthyServices(checks: readonly CheckFact[]): string[] {
  return failedServices(latestChecks(checks));
}

/** Returns the services with a check that was degraded or down at any time, in order. */
export function failedServices(checks: readonly CheckFact[]): string[] {
  return unique(
    checks
      .filter((check) => isPerformed(check) && check.status !== 'healthy')
      .map((check) => check.service),
  );
}

/**
 * Returns the services with a check that couldn't be performed, in order. Nothing is proven about them:
 * neither that they are healthy nor that they aren't.
 */
export function uncheckedServices(checks: readonly CheckFact[]): string[] {
  return unique(
    latestChecks(checks)
      .filter((check) => !isPerformed(check))
      .map((check) => check.service),
  );
}

/** Returns the services that the report calls degraded or down. */
export function reportedUnhealthy(report: TierReport | null): string[] {
  if (!report) return [];
  return unique(
    report.services_checked
      .filter((service) => service.status === 'degraded' || service.status === 'down')
      .map((service) => service.name),
  );
}

/**
 * Returns the services that a next tier is for: those the agent requests help for, then those the
 * runner measured as unhealthy. If neither names a service, those the agent reported as unhealthy.
 */
export function affectedServices(input: {
  report: TierReport | null;
  fileServices: readonly string[];
  checks: readonly CheckFact[];
}): string[] {
  const named = unique([
    ...input.fileServices,
    ...(input.report?.escalation.services ?? []),
    ...unhealthyServices(input.checks),
  ]);
  return named.length > 0 ? named : reportedUnhealthy(input.report);
}

export function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
