import type { Fields } from './check-kind';
import { CHECK_KINDS, type Check } from './kinds';
import type { ProbeResult } from './outcome';

const FIELD_REVISION = 2;
const revisions = Object.values(CHECK_KINDS).map(({ since }) => since);

/**
 * What this program's checks can do, reported by runners and stated in what they get. Revision 1 has the
 * kinds and statuses from before `unknown`; a program that reports nothing has revision 1.
 */
export const CHECK_REVISION = Math.max(FIELD_REVISION, ...revisions);

/** Fields that every revision knows, or that change nothing about one execution. */
const COMMON_FIELDS = ['type', 'target', 'timeoutSeconds', 'everySeconds'];

/**
 * Returns the revision that a program needs to perform a check. An older one would ignore a field that it
 * doesn't know, and call healthy what it hasn't looked at.
 */
export function revisionNeeded(check: Check): number {
  const { since, fields } = CHECK_KINDS[check.type];
  const own: Fields = fields;
  const used = Object.entries(check).flatMap(([field, value]) =>
    value === undefined || COMMON_FIELDS.includes(field)
      ? []
      : [own[field]?.since ?? FIELD_REVISION],
  );
  return Math.max(since, ...used);
}

/** Returns the checks that a runner performs: a heartbeat comes from the job that it watches. */
export function runnableChecks({ checks }: { checks: readonly Check[] }): Check[] {
  return checks.filter(({ type }) => !CHECK_KINDS[type].isReceived);
}

/**
 * Returns a result as a control plane of a revision can read it. To one that doesn't know `unknown`, a
 * check that couldn't be performed is down, as its runners always reported it.
 *
 * @param revision as the control plane stated it; absent: 1
 */
export function resultFor<Result extends Pick<ProbeResult, 'status' | 'error'>>(
  revision: number | undefined,
  result: Result,
): Result {
  const isKnown = result.status !== 'unknown' || (revision ?? 1) >= 2;
  return isKnown ? result : { ...result, status: 'down' };
}
