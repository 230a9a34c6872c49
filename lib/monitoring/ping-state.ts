/** What the pings of a job say about it, and until when. Pure. */
import {
  DEFAULT_GRACE_SECONDS,
  DEFAULT_PERIOD_SECONDS,
} from '@/lib/protocol/checks/heartbeat/kind';
import type { CheckSpec } from '@/lib/protocol/spec';
import type { ResultStatus } from './check-state';

/** The state of a heartbeat is a result this often, in seconds, as if a runner had performed a check. */
export const PING_CHECK_EVERY_SECONDS = 60;
/** Pings that arrive within this time after a result wait for the next one: five results a minute. */
const PING_RESULT_MS = 12_000;

export interface Pings {
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** Of the last failure; null if the ping had none. */
  lastExitCode: number | null;
  lastStartAt: Date | null;
  /** From the last start that ended to its end, in milliseconds. */
  lastDurationMs: number | null;
  /** Whether one has arrived that no result stands for yet. */
  hasNewSuccess: boolean;
  hasNewFailure: boolean;
}

export const NO_PINGS: Pings = {
  lastSuccessAt: null,
  lastFailureAt: null,
  lastExitCode: null,
  lastStartAt: null,
  lastDurationMs: null,
  hasNewSuccess: false,
  hasNewFailure: false,
};

/** `start`: the job began. `end` with an exit code other than 0, or with null, is a failure. */
export type Ping = { at: Date } & ({ kind: 'start' } | { kind: 'end'; exitCode: number | null });

/** Returns what is known after one more ping. One that is older than the last of its kind changes nothing. */
export function withPing(before: Pings, ping: Ping): Pings {
  if (ping.kind === 'start') {
    const isNewer = before.lastStartAt === null || ping.at >= before.lastStartAt;
    // A job that only ever starts must not move its deadline.
    const isFirstEndDue = lastEndOf(before) === null && before.lastStartAt !== null;
    return isNewer && !isFirstEndDue ? { ...before, lastStartAt: ping.at } : before;
  }
  const isSuccess = ping.exitCode === 0;
  const last = isSuccess ? before.lastSuccessAt : before.lastFailureAt;
  if (last !== null && ping.at < last) return before;
  const started = runningSince(before);
  const durationMs =
    started !== null && started <= ping.at ? ping.at.getTime() - started.getTime() : null;
  const after = { ...before, lastDurationMs: durationMs ?? before.lastDurationMs };
  return isSuccess
    ? { ...after, lastSuccessAt: ping.at, hasNewSuccess: true }
    : { ...after, lastFailureAt: ping.at, lastExitCode: ping.exitCode, hasNewFailure: true };
}

/** Returns when a ping is judged: right away, unless there has just been a result. */
export function dueAfterPing(dueAt: Date | null, judgedAt: Date | null, now: Date): Date {
  const next = judgedAt === null ? 0 : judgedAt.getTime() + PING_RESULT_MS;
  const wanted = Math.max(now.getTime(), next);
  return new Date(Math.min(wanted, dueAt?.getTime() ?? wanted));
}

export interface PingRule {
  periodSeconds: number;
  graceSeconds: number;
}

export function pingRule(spec: CheckSpec): PingRule {
  return {
    periodSeconds: spec.periodSeconds ?? DEFAULT_PERIOD_SECONDS,
    graceSeconds: spec.graceSeconds ?? DEFAULT_GRACE_SECONDS,
  };
}

/** When a job last reported its end; null before its first. */
export function lastEndOf({ lastSuccessAt, lastFailureAt }: Pings): Date | null {
  if (lastSuccessAt === null || lastFailureAt === null) return lastSuccessAt ?? lastFailureAt;
  return lastSuccessAt > lastFailureAt ? lastSuccessAt : lastFailureAt;
}

/** Since when the job runs; null unless it has reported a start without an end. */
export function runningSince(pings: Pings): Date | null {
  const end = lastEndOf(pings);
  const { lastStartAt } = pings;
  return lastStartAt !== null && (end === null || lastStartAt > end) ? lastStartAt : null;
}

/**
 * Returns by when the next end has to be reported: the period and the grace period after the last one,
 * and the grace period after a start. Null before the first ping.
 */
export function deadlineOf(pings: Pings, rule: PingRule): Date | null {
  const expected = expectedAt(pings, rule);
  return expected && secondsAfter(expected, rule.graceSeconds);
}

function expectedAt(pings: Pings, { periodSeconds }: PingRule): Date | null {
  const end = lastEndOf(pings);
  const next = end && secondsAfter(end, periodSeconds);
  const started = runningSince(pings);
  if (next === null || started === null) return next ?? started;
  return new Date(Math.min(next.getTime(), started.getTime()));
}

/** How a heartbeat stands, apart from N of M. `late`: past its period, within its grace period. */
export const PING_STATES = ['waiting', 'up', 'running', 'late', 'failed', 'missed'] as const;
export type PingState = (typeof PING_STATES)[number];

export function pingState(pings: Pings, rule: PingRule, now: Date): PingState {
  const expected = expectedAt(pings, rule);
  const deadline = deadlineOf(pings, rule);
  if (expected === null || deadline === null) return 'waiting';
  if (now > deadline) return 'missed';
  if (hasFailed(pings)) return 'failed';
  if (runningSince(pings)) return 'running';
  return now > expected ? 'late' : 'up';
}

function hasFailed({ lastSuccessAt, lastFailureAt }: Pings): boolean {
  return lastFailureAt !== null && (lastSuccessAt === null || lastFailureAt >= lastSuccessAt);
}

export interface PingResult {
  status: ResultStatus;
  error: string;
  at: Date;
}

export interface Judgement {
  /** Oldest first. */
  results: PingResult[];
  /** When to judge again; null before the first ping. */
  nextAt: Date | null;
}

export interface JudgedPings extends Pings {
  judgedAt: Date | null;
  /** The last result is a failure, and later than the deadline. */
  wasMissed?: boolean;
}

/** A reverse proxy or a name server may come back later than the control plane itself. */
const LOST_MARGIN_SECONDS = 300;
const RETRY_SECONDS = 10;
const NO_END = 'The job has reported a start, and no end yet.';

/**
 * Returns the results that follow from pings and from the time: each ping that none stands for yet, and
 * what holds now if that is something else. A missed deadline is only the job’s fault if its ping could
 * have arrived.
 *
 * @param answeringSince since when pings have been accepted without a gap; null if they aren't now
 */
export function judgePings(
  pings: JudgedPings,
  rule: PingRule,
  answeringSince: Date | null,
  now: Date,
): Judgement {
  const fresh = freshResults(pings, now);
  const deadline = deadlineOf(pings, rule);
  if (deadline === null) return { results: fresh, nextAt: null };
  const isOver = now > deadline;
  if (isOver && answeringSince === null && !hasFailed(pings)) {
    return { results: fresh, nextAt: secondsAfter(now, RETRY_SECONDS) };
  }
  const current = isOver
    ? overdue(pings, rule, deadline, answeringSince, now)
    : { ...endResult(pings), at: now };
  const isStated = fresh.at(-1)?.status === current.status;
  const nextAt = secondsAfter(now, PING_CHECK_EVERY_SECONDS);
  return {
    results: isStated ? fresh : [...fresh, current],
    nextAt: !isOver && deadline < nextAt ? new Date(deadline.getTime() + 1) : nextAt,
  };
}

function freshResults(pings: Pings, now: Date): PingResult[] {
  const results: PingResult[] = [];
  const { lastSuccessAt, lastFailureAt } = pings;
  if (pings.hasNewSuccess && lastSuccessAt) {
    results.push({ status: 'healthy', error: '', at: lastSuccessAt });
  }
  if (pings.hasNewFailure && lastFailureAt) {
    results.push({ status: 'down', error: failureWords(pings), at: lastFailureAt });
  }
  // Web processes and workers may be on hosts whose clocks differ.
  return results
    .map((result) => ({ ...result, at: result.at > now ? now : result.at }))
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
}

function endResult(pings: Pings): Omit<PingResult, 'at'> {
  if (lastEndOf(pings) === null) return { status: 'unknown', error: NO_END };
  return hasFailed(pings)
    ? { status: 'down', error: failureWords(pings) }
    : { status: 'healthy', error: '' };
}

function failureWords({ lastExitCode }: Pings): string {
  return lastExitCode === null
    ? 'The job reported a failure.'
    : `The job reported exit code ${lastExitCode}.`;
}

function overdue(
  pings: JudgedPings,
  rule: PingRule,
  deadline: Date,
  answeringSince: Date | null,
  now: Date,
): PingResult {
  if (hasFailed(pings)) return { status: 'down', error: failureWords(pings), at: now };
  const started = runningSince(pings);
  // What was seen as missed before stays so, and a gap excuses one ping, however often it is repeated.
  if (answeringSince && !pings.wasMissed && answeringSince > waitedFrom(pings, rule)) {
    const from = answeringSince < deadline ? answeringSince : deadline;
    const next = secondsAfter(from, rule.periodSeconds + rule.graceSeconds);
    if (now <= next) {
      const error = `Tierwatch couldn’t be reached until ${clock(answeringSince)}, so a ping may be lost. The next one is due by ${clock(next)}.`;
      return { status: 'unknown', error, at: now };
    }
  }
  const end = lastEndOf(pings);
  const isStart = started !== null && secondsAfter(started, rule.graceSeconds) <= deadline;
  const error = isStart
    ? `The job started at ${clock(started)} and didn’t report its end by ${clock(deadline)}.`
    : `No ping since ${clock(end ?? deadline)}. One was due by ${clock(deadline)}.`;
  // The failure begins at the deadline, however late it is noticed.
  const isNoticed = pings.judgedAt !== null && pings.judgedAt >= deadline;
  return { status: 'down', error, at: isNoticed ? now : deadline };
}

/** From when on a ping that is lost is the one that was expected. */
function waitedFrom(pings: Pings, rule: PingRule): Date {
  const started = runningSince(pings);
  if (started !== null) return started;
  const end = lastEndOf(pings);
  const early = Math.min(
    Math.max(rule.graceSeconds, LOST_MARGIN_SECONDS),
    Math.floor(rule.periodSeconds / 2),
  );
  return end ? secondsAfter(end, rule.periodSeconds - early) : new Date(0);
}

/** `26 Nov 14:02 UTC`: a result is read by people in any zone. */
function clock(at: Date): string {
  const [, , month = '', day = '', time = ''] =
    /^(\d+)-(\d+)-(\d+)T(\d\d:\d\d)/.exec(at.toISOString()) ?? [];
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${time} UTC`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function secondsAfter(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1_000);
}
