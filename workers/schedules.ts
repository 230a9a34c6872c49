import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import type { QueueHandle } from '@/lib/platform/queue/backend';
import {
  advanceIncidentsJob,
  advancePagingJob,
  assignCheckersJob,
  endHostWaitsJob,
  endPausesJob,
  enqueueWaitingJob,
  expireApprovalsJob,
  expireLeasesJob,
  expireResultsJob,
  type JobDefinition,
  judgeHeartbeatsJob,
  pingWatchdogJob,
  pruneJob,
  readCalendarsJob,
  reportOfflineRunnersJob,
  startDueChainsJob,
  sweepAlertsJob,
  writeAuditAnchorsJob,
} from '@/lib/platform/queue/jobs';
import { registerJobs } from '@/lib/watchdog/job-runs';

/**
 * Every recurring job. Several workers share one schedule: each run is handled by the first worker
 * that claims it.
 */
interface RecurringJob {
  job: Pick<JobDefinition<unknown>, 'name'>;
  everyMs: number;
}

const FIXED: readonly RecurringJob[] = [
  { job: startDueChainsJob, everyMs: 1_000 },
  { job: enqueueWaitingJob, everyMs: 2_000 },
  { job: assignCheckersJob, everyMs: 2_000 },
  { job: judgeHeartbeatsJob, everyMs: 2_000 },
  { job: advanceIncidentsJob, everyMs: 2_000 },
  { job: advancePagingJob, everyMs: 2_000 },
  { job: readCalendarsJob, everyMs: 10_000 },
  { job: sweepAlertsJob, everyMs: 5_000 },
  { job: endPausesJob, everyMs: 5_000 },
  { job: expireLeasesJob, everyMs: 5_000 },
  { job: expireApprovalsJob, everyMs: 5_000 },
  { job: endHostWaitsJob, everyMs: 10_000 },
  { job: expireResultsJob, everyMs: 10_000 },
  { job: reportOfflineRunnersJob, everyMs: 10_000 },
  { job: writeAuditAnchorsJob, everyMs: 900_000 },
  { job: pruneJob, everyMs: 3_600_000 },
];

/** The operator sets the interval of the last one, to match the receiver's. */
function recurring(): readonly RecurringJob[] {
  const { watchdogUrl, watchdogSeconds } = env();
  if (watchdogUrl === null) return FIXED;
  return [...FIXED, { job: pingWatchdogJob, everyMs: watchdogSeconds * 1_000 }];
}

/** Returns whether a job recurs: then its end is recorded, so that a missed slot is noticed. */
export function isRecurring(name: string): boolean {
  return recurring().some(({ job }) => job.name === name);
}

/** Starts the recurring jobs, and ends those that an earlier version had under another name. */
export async function startSchedules(queue: QueueHandle): Promise<void> {
  const all = recurring();
  for (const each of all) await startRecurring(queue, each);
  await registerJobs(all.map(({ job, everyMs }) => ({ name: job.name, everyMs })));
  const known = new Set(all.map(({ job }) => job.name));
  for (const key of await keysOf(queue)) {
    if (!known.has(key)) await queue.removeJobScheduler(key);
  }
}

/** Starts those that are gone, as after a Redis lost its data: nothing else would bring them back. */
export async function restoreSchedules(queue: QueueHandle): Promise<void> {
  const running = new Set(await keysOf(queue));
  for (const each of recurring()) {
    if (!running.has(each.job.name)) await startRecurring(queue, each);
  }
}

async function keysOf(queue: QueueHandle): Promise<string[]> {
  return (await queue.getJobSchedulers()).map(({ key }) => key);
}

function startRecurring(queue: QueueHandle, { job, everyMs }: RecurringJob) {
  return queue.upsertJobScheduler(
    job.name,
    { every: everyMs },
    { name: job.name, opts: { removeOnComplete: true, removeOnFail: true } },
  );
}

const RESTORE_EVERY_MS = 5_000;

/** For the worker process: checks regularly that every schedule is there. @returns how to stop */
export function keepSchedules(queue: QueueHandle): () => void {
  let isChecking = false;
  const check = async () => {
    // While the queue is away, one check waits for it.
    if (isChecking) return;
    isChecking = true;
    await restoreSchedules(queue).catch((error) =>
      logger.warn({ error: String(error) }, 'schedules not checked'),
    );
    isChecking = false;
  };
  const timer = setInterval(check, RESTORE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
