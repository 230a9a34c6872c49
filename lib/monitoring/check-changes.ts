/** From when on a check is in another state. Pure. */
import {
  type CheckState,
  OVERDUE_INTERVALS,
  overdueAfterMs,
  type RecentResult,
  type ResultStatus,
} from './check-state';
import { isPingCheck } from './planned-checks';

export interface CheckChange {
  /** When the state began, which the results after it proved. */
  at: Date;
  status: ResultStatus;
}

/** The changes of several checks by their UUIDs, oldest first. */
export type CheckChanges = Map<string, CheckChange[]>;

interface KnownCheck extends CheckState {
  id: string;
  /** CheckSpec in lib/protocol/spec.ts. */
  spec: unknown;
  everySeconds: number;
  /** Of its last result; null before the first. */
  lastAt: Date | null;
}

/**
 * Adds what one more result changes. A state begins with the first of the results that prove it, so an
 * outage is as long as its results show, however many it takes to decide. Time without results is unknown,
 * although the states before and after it are the same.
 *
 * @param before the check before the result
 * @param after its state with it
 * @param at when the result was had
 */
export function addChanges(
  changes: CheckChanges,
  before: KnownCheck,
  after: CheckState,
  at: Date,
): void {
  const found = changesOf(before, after, at);
  const [first] = found;
  if (!first) return;
  const kept = (changes.get(before.id) ?? []).filter((change) => change.at < first.at);
  changes.set(before.id, [...kept, ...found]);
}

function changesOf(before: KnownCheck, after: CheckState, at: Date): CheckChange[] {
  const silentFrom = silentSince(before, at);
  if (silentFrom) {
    const unknown = { at: silentFrom, status: 'unknown' } as const;
    return after.status === 'unknown' ? [unknown] : [unknown, { at, status: after.status }];
  }
  if (after.status === before.status) return [];
  return [{ at: beginOf(before, after) ?? at, status: after.status }];
}

/**
 * Returns since when nothing is known of a check for lack of results; null if one is still due, or nothing
 * was known anyway. A heartbeat has results only when its job pings or misses its deadline.
 *
 * @param until the next result, or now
 */
export function silentSince(
  check: Pick<KnownCheck, 'status' | 'spec' | 'everySeconds' | 'lastAt'>,
  until: Date,
): Date | null {
  const { status, lastAt, everySeconds } = check;
  if (status === 'unknown' || lastAt === null || isPingCheck(check)) return null;
  if (until.getTime() - lastAt.getTime() < overdueAfterMs(everySeconds)) return null;
  return new Date(lastAt.getTime() + everySeconds * OVERDUE_INTERVALS * 1_000);
}

const SEVERITY: Record<ResultStatus, number> = { unknown: -1, healthy: 0, degraded: 1, down: 2 };

function beginOf(before: CheckState, { status, recent }: CheckState): Date | undefined {
  const isWorse = SEVERITY[status] > Math.max(SEVERITY[before.status], SEVERITY.healthy);
  if (!isWorse) return trailing(recent, status)[0]?.at;
  const { status: past, statusSince } = before;
  // What a check that recovered had failed with before is part of the outage before.
  const isSince = ({ at }: RecentResult) =>
    past === 'unknown' || statusSince === null || at >= statusSince;
  return recent.find((one) => SEVERITY[one.status] >= SEVERITY[status] && isSince(one))?.at;
}

/** The last results in a row that are no worse than a state, or all unknown. */
function trailing(recent: readonly RecentResult[], status: ResultStatus): readonly RecentResult[] {
  const isOfIt = (one: RecentResult) =>
    status === 'unknown'
      ? one.status === 'unknown'
      : one.status !== 'unknown' && SEVERITY[one.status] <= SEVERITY[status];
  return recent.slice(recent.findLastIndex((one) => !isOfIt(one)) + 1);
}
