/** Compares what was measured with what is expected. Every limit of the watchdog is here. */

import type { ProblemKey, Verdict } from './problems';
import { isDrained, isGrowing, type QueueSample } from './queue-growth';

/** Processes report every 5 s; a restart takes longer than a few missed reports. */
const NOT_REPORTING_MS = 60_000;
/** A recurring job may be this much later than its interval, or half of it if that is longer. */
const JOB_SLACK_MS = 60_000;
/** A share of all connections, and when it is over. */
const CONNECTIONS_FULL = 0.9;
const CONNECTIONS_FREE = 0.8;
/** Free space: a share of the disk, and bytes; when both are exceeded again, it is over. */
const DISK_FULL = { share: 0.05, bytes: 500_000_000 };
const DISK_FREE = { share: 0.08, bytes: 750_000_000 };

/** When a kind of process last reported, and since when without a gap. */
export interface Beat {
  continuousSince: Date;
  lastAt: Date;
}

export interface JobFacts {
  name: string;
  everyMs: number;
  registeredAt: Date;
  /** Null: it has never ended without an error. */
  lastEndedAt: Date | null;
  /** How often it has failed since then. */
  failures: number;
}

export interface QueueFacts {
  name: string;
  /** Due and not done, now. */
  waiting: number;
  /** Since when the oldest of them is due; null if none is. */
  oldestDueAt: Date | null;
  /** Oldest first, about one a minute. */
  samples: readonly QueueSample[];
}

/** Where something can't be measured, it is null. */
export interface WatchFacts {
  now: Date;
  /** The kind of process that measured. */
  watcher: 'web' | 'worker';
  /** Since when it has been watching: before that, nobody was expected to report. */
  watchingSince: Date;
  web: Beat | null;
  worker: Beat | null;
  jobs: readonly JobFacts[];
  queues: readonly QueueFacts[];
  /** Enabled schedules, of any organization, without a next run. */
  lostSchedules: number;
  /** Those that are expected to be online, and how many of them aren't, or have a wrong clock. */
  runners: { expected: number; offline: number; clockOff: number };
  /** Checks that a runner which is online has, and how many of them lack results. */
  checks: { expected: number; overdue: number };
  connections: { used: number; max: number } | null;
  /** Of the data folder, as the watcher sees it. */
  disk: { freeBytes: number; totalBytes: number } | null;
}

/** Returns one verdict for everything that is watched. */
export function judge(facts: WatchFacts): Verdict[] {
  return [
    judgeProcess('web', facts.web, facts),
    judgeProcess('worker', facts.worker, facts),
    ...facts.jobs.map((job) => judgeJob(job, facts)),
    ...facts.queues.map((queue) => judgeQueue(queue, facts)),
    judgeSchedules(facts),
    ...judgeRunners(facts),
    judgeConnections(facts),
    ...judgeDisks(facts),
  ];
}

/** A process may be starting or restarting, so that it isn't missed before a minute has passed. */
function judgeProcess(component: 'web' | 'worker', beat: Beat | null, facts: WatchFacts): Verdict {
  const key = { component, kind: 'not_reporting', subject: '' } as const;
  if (isReporting(beat, facts.now)) return verdict(key, 'absent', facts.now);
  const expectedSince = latest(beat?.lastAt, facts.watchingSince);
  const isMissing = msSince(expectedSince, facts.now) > NOT_REPORTING_MS;
  return verdict(key, isMissing ? 'present' : 'unknown', beat?.lastAt ?? expectedSince);
}

/** While no worker reports, its jobs don't run either: the worker is the problem then. */
function judgeJob(job: JobFacts, { worker, now }: WatchFacts): Verdict {
  const key = { component: 'job', kind: 'missed_slot', subject: job.name } as const;
  const figures = { everyMs: job.everyMs, failures: job.failures };
  const allowedMs = job.everyMs + Math.max(JOB_SLACK_MS, job.everyMs / 2);
  if (job.lastEndedAt && msSince(job.lastEndedAt, now) <= allowedMs) {
    return verdict(key, 'absent', now, figures);
  }
  if (!worker || !isReporting(worker, now)) return verdict(key, 'unknown', now, figures);
  // Nothing was due while no worker ran.
  const expectedSince = latest(job.lastEndedAt, job.registeredAt, worker.continuousSince);
  const isLate = msSince(expectedSince, now) > allowedMs;
  const dueAt = new Date(expectedSince.getTime() + job.everyMs);
  return verdict(key, isLate ? 'present' : 'unknown', isLate ? dueAt : now, figures);
}

function judgeQueue({ name, waiting, oldestDueAt, samples }: QueueFacts, facts: WatchFacts) {
  const key = { component: 'queue', kind: 'growing', subject: name } as const;
  const oldestMs = oldestDueAt ? msSince(oldestDueAt, facts.now) : 0;
  const all = [...samples, { at: facts.now, waiting }];
  const state = isGrowing(all, oldestMs)
    ? 'present'
    : isDrained(all, oldestMs)
      ? 'absent'
      : 'unknown';
  return verdict(key, state, all[0]?.at ?? facts.now, { waiting, oldestMs });
}

function judgeSchedules({ lostSchedules, now }: WatchFacts): Verdict {
  const key = { component: 'schedule', kind: 'no_next_run', subject: '' } as const;
  return verdict(key, lostSchedules > 0 ? 'present' : 'absent', now, { lost: lostSchedules });
}

/** Without web processes, no runner can report. */
function judgeRunners({ web, runners, checks, now }: WatchFacts): Verdict[] {
  const canReport =
    web !== null && isReporting(web, now) && msSince(web.continuousSince, now) > NOT_REPORTING_MS;
  const count = (key: ProblemKey, broken: number, expected: number) =>
    verdict(key, canReport ? (broken > 0 ? 'present' : 'absent') : 'unknown', now, {
      broken,
      expected,
    });
  const { expected } = runners;
  return [
    count({ component: 'runner', kind: 'offline', subject: '' }, runners.offline, expected),
    count({ component: 'runner', kind: 'clock_off', subject: '' }, runners.clockOff, expected),
    count({ component: 'check', kind: 'overdue', subject: '' }, checks.overdue, checks.expected),
  ];
}

function judgeConnections({ connections, now }: WatchFacts): Verdict {
  const key = { component: 'database', kind: 'nearly_full', subject: '' } as const;
  if (!connections || connections.max <= 0) return verdict(key, 'unknown', now);
  const share = connections.used / connections.max;
  const state =
    share >= CONNECTIONS_FULL ? 'present' : share < CONNECTIONS_FREE ? 'absent' : 'unknown';
  return verdict(key, state, now, { ...connections });
}

/** In containers, web and worker have disks of their own. */
function judgeDisks({ watcher, disk, now }: WatchFacts): Verdict[] {
  return (['web', 'worker'] as const).map((subject) => {
    const key = { component: 'disk', kind: 'nearly_full', subject } as const;
    if (subject !== watcher || !disk || disk.totalBytes <= 0) return verdict(key, 'unknown', now);
    const isBelow = (limit: typeof DISK_FULL) =>
      disk.freeBytes < limit.bytes || disk.freeBytes / disk.totalBytes < limit.share;
    const state = isBelow(DISK_FULL) ? 'present' : isBelow(DISK_FREE) ? 'unknown' : 'absent';
    return verdict(key, state, now, { ...disk });
  });
}

/**
 * Returns why the outside monitor may not learn that all is well; empty if it may. Both kinds of processes have
 * to report now, the recurring jobs to run, and every queue to be worked off. What only hosts of organizations
 * have doesn't count.
 */
export function reasonsAgainstPing(facts: WatchFacts): string[] {
  const { web, worker, jobs, now } = facts;
  const broken = judge(facts).filter(
    (each) =>
      each.state === 'present' && ['job', 'queue'].includes(each.component) && !waitsForHosts(each),
  );
  return [
    ...(isReporting(web, now) ? [] : ['web not_reporting']),
    ...(isReporting(worker, now) ? [] : ['worker not_reporting']),
    ...(jobs.length > 0 ? [] : ['job not_scheduled']),
    ...broken.map(({ component, kind, subject }) => `${component} ${kind} ${subject}`),
  ];
}

/** Whether it is about the queue that runners work off: if they are away, only their own organization waits. */
export function waitsForHosts({
  component,
  subject,
}: Pick<ProblemKey, 'component' | 'subject'>): boolean {
  return component === 'queue' && subject === 'attempts';
}

function isReporting(beat: Beat | null, now: Date): boolean {
  return beat !== null && msSince(beat.lastAt, now) <= NOT_REPORTING_MS;
}

function verdict(
  key: ProblemKey,
  state: Verdict['state'],
  since: Date,
  figures: Verdict['figures'] = {},
): Verdict {
  return { ...key, state, since, figures };
}

function msSince(at: Date, now: Date): number {
  return Math.max(0, now.getTime() - at.getTime());
}

function latest(...times: (Date | null | undefined)[]): Date {
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)));
}
