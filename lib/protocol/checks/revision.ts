import type { CheckResultEvent } from '../events';
import type { CheckSpec, CheckType, ServiceSpec } from '../spec';

/**
 * What this program's checks can do, reported by runners and stated in what they get. Revision 1 has the
 * kinds and statuses from before `unknown`; a program that reports nothing has revision 1.
 */
export const CHECK_REVISION = 2;

const FIRST_TYPES: readonly CheckType[] = [
  'http',
  'dns',
  'tcp',
  'database',
  'container',
  'service',
  'process',
];
/** Fields that revision 1 knows, or that change nothing about one execution. */
const FIRST_FIELDS = [
  'type',
  'target',
  'expectStatus',
  'expectText',
  'timeoutSeconds',
  'everySeconds',
];

/**
 * Returns the revision that a program needs to perform a check. An older one would ignore a field that it
 * doesn't know, and call healthy what it hasn't looked at.
 */
export function revisionNeeded(check: CheckSpec): number {
  const isFirst =
    FIRST_TYPES.includes(check.type) &&
    Object.entries(check).every(
      ([field, value]) => value === undefined || FIRST_FIELDS.includes(field),
    ) &&
    (check.expectText === undefined || check.type === 'http');
  return isFirst ? 1 : CHECK_REVISION;
}

/** Returns the checks that a runner performs: a heartbeat comes from the job that it watches. */
export function runnableChecks({ checks }: Pick<ServiceSpec, 'checks'>): CheckSpec[] {
  return checks.filter(({ type }) => type !== 'heartbeat');
}

/**
 * Returns a result as a control plane of a revision can read it. To one that doesn't know `unknown`, a
 * check that couldn't be performed is down, as its runners always reported it.
 *
 * @param revision as the control plane stated it; absent: 1
 */
export function resultFor<Result extends Pick<CheckResultEvent, 'status' | 'error'>>(
  revision: number | undefined,
  result: Result,
): Result {
  const isKnown = result.status !== 'unknown' || (revision ?? 1) >= 2;
  return isKnown ? result : { ...result, status: 'down' };
}
