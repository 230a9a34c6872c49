/** The state of a check by its last results. Pure. */
import type { MonitoringSettings } from '@/lib/projects/monitoring-settings';
import type { SERVICE_STATUSES } from '@/lib/protocol/spec';

/** What a check found, or `unknown` if it couldn't be run. */
export type ResultStatus = (typeof SERVICE_STATUSES)[number];

export interface CheckState {
  /** `unknown` before the first result, and while the check can't be run. */
  status: ResultStatus;
  statusSince: Date | null;
  /** The first result of the current failure, which is before the state changed. Null unless it fails. */
  failingSince: Date | null;
  /**
   * Oldest first: the last known results, at most `lastResults` of them, then those since that couldn't be
   * had. Empty of known ones while nothing is known.
   */
  recent: readonly RecentResult[];
}

export interface RecentResult {
  status: ResultStatus;
  at: Date;
}

export const NEVER_CHECKED: CheckState = {
  status: 'unknown',
  statusSince: null,
  failingSince: null,
  recent: [],
};

type Rule = Pick<MonitoringSettings, 'failures' | 'lastResults'>;

const SEVERITY = { healthy: 0, degraded: 1, down: 2 } as const;
const FAILING = ['down', 'degraded'] as const;

/**
 * Returns the state after one more result. A check fails once `failures` of its last `lastResults`
 * known results do, and passes again once as many in a row pass and fewer of the last ones fail. It is
 * down if that many are down, else degraded. Results that couldn't be had count neither way, and push no
 * known ones out; if the last `failures` are of that kind, nothing is known, and counting begins again.
 */
export function nextCheckState(before: CheckState, result: RecentResult, rule: Rule): CheckState {
  const recent = nextRecent(before.recent, result, rule);
  const status = statusOf(before, recent, rule);
  const isSame = status === before.status;
  return {
    status,
    statusSince: isSame ? (before.statusSince ?? result.at) : result.at,
    failingSince: failingSince(before, status, recent),
    recent,
  };
}

function nextRecent(
  before: readonly RecentResult[],
  result: RecentResult,
  { failures, lastResults }: Rule,
): RecentResult[] {
  const known = before.filter(isKnown);
  if (isKnown(result)) return [...known, result].slice(-lastResults);
  const last = before.findLastIndex(isKnown);
  const unknown = [...before.slice(last + 1), result].slice(-failures);
  // What was found before nothing was known says nothing about what is found after it.
  return unknown.length === failures ? unknown : [...known.slice(-lastResults), ...unknown];
}

function isKnown({ status }: RecentResult): boolean {
  return status !== 'unknown';
}

function statusOf(
  before: CheckState,
  recent: readonly RecentResult[],
  { failures }: Rule,
): ResultStatus {
  const counted = recent.filter(isKnown);
  if (recent.length - counted.length >= failures) return 'unknown';
  const failing = FAILING.find((level) => isAtLeast(level, before.status, counted, failures));
  if (failing) return failing;
  if (before.status !== 'unknown') return 'healthy';
  // Of a check that failed when it was last known, as many have to pass as at any other time. Of others,
  // the first results are all there is to judge by.
  const last = counted.slice(-failures);
  const isEnough = before.failingSince === null ? last.length > 0 : last.length === failures;
  const isDecided = before.failingSince === null && counted.length >= failures;
  return isDecided || (isEnough && last.every(({ status }) => status === 'healthy'))
    ? 'healthy'
    : 'unknown';
}

function isAtLeast(
  level: (typeof FAILING)[number],
  before: ResultStatus,
  counted: readonly RecentResult[],
  failures: number,
): boolean {
  const isBad = ({ status }: RecentResult) => severityOf(status) >= SEVERITY[level];
  if (counted.filter(isBad).length >= failures) return true;
  if (severityOf(before) < SEVERITY[level]) return false;
  return counted.slice(-failures).some(isBad) || counted.length < failures;
}

function severityOf(status: ResultStatus): number {
  return status === 'unknown' ? -1 : SEVERITY[status];
}

function isFailing(status: ResultStatus): boolean {
  return status === 'down' || status === 'degraded';
}

/** While nothing is known, an outage isn't over. */
function failingSince(
  before: CheckState,
  status: ResultStatus,
  recent: readonly RecentResult[],
): Date | null {
  if (status === 'healthy') return null;
  if (status === 'unknown' || before.failingSince) return before.failingSince;
  return recent.find((one) => isFailing(one.status))?.at ?? null;
}

interface CheckOfService {
  status: ResultStatus;
  failingSince: Date | null;
  /** A heartbeat before its first ping: it says nothing yet. */
  isWaiting?: boolean;
}

/**
 * Returns the state of a service: that of its worst check. It is healthy if all are, and unknown if one
 * isn't known and none fails. Beside other checks, a heartbeat that waits for its first ping doesn't count.
 */
export function serviceStateOf(all: readonly CheckOfService[]): {
  status: ResultStatus;
  failingSince: Date | null;
} {
  const telling = all.filter(({ isWaiting }) => !isWaiting);
  const checks = telling.length > 0 ? telling : all;
  const words = checks.map(({ status }) => status);
  const status =
    FAILING.find((level) => words.includes(level)) ??
    (words.length === 0 || words.includes('unknown') ? 'unknown' : 'healthy');
  const starts = checks.flatMap((check) => check.failingSince?.getTime() ?? []);
  const since = status === 'healthy' || starts.length === 0 ? null : new Date(Math.min(...starts));
  return { status, failingSince: since };
}

/** When a result of a check is missing. Pure. */

/** How many intervals of a check may pass without a result before nothing is known. */
export const OVERDUE_INTERVALS = 2;
/** And how much more time, for what a runner keeps while it can't reach the control plane. */
export const OVERDUE_SLACK_SECONDS = 75;

/**
 * Returns for how long a check may have no result, in milliseconds.
 *
 * @param everySeconds its interval
 */
export function overdueAfterMs(everySeconds: number): number {
  return (everySeconds * OVERDUE_INTERVALS + OVERDUE_SLACK_SECONDS) * 1_000;
}

/** Returns when nothing is known of a check unless another result comes; null before its first one. */
export function overdueAt(check: { lastAt: Date | null; everySeconds: number }): Date | null {
  if (check.lastAt === null) return null;
  return new Date(check.lastAt.getTime() + overdueAfterMs(check.everySeconds));
}
