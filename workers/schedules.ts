import type { QueueHandle } from '@/lib/platform/queue/backend';
import {
  endPausesJob,
  enqueueWaitingJob,
  expireLeasesJob,
  type JobDefinition,
  pruneJob,
  reportOfflineRunnersJob,
  startDueChainsJob,
} from '@/lib/platform/queue/jobs';

/**
 * Every recurring job. Several workers share one schedule: each run is handled by the first worker
 * that claims it.
 */
const RECURRING: readonly { job: Pick<JobDefinition<unknown>, 'name'>; everyMs: number }[] = [
  { job: startDueChainsJob, everyMs: 1_000 },
  { job: enqueueWaitingJob, everyMs: 2_000 },
  { job: endPausesJob, everyMs: 5_000 },
  { job: expireLeasesJob, everyMs: 5_000 },
  { job: reportOfflineRunnersJob, everyMs: 10_000 },
  { job: pruneJob, everyMs: 3_600_000 },
];

/** Starts the recurring jobs, and ends those that an earlier version had under another name. */
export async function startSchedules(queue: QueueHandle): Promise<void> {
  for (const { job, everyMs } of RECURRING) {
    await queue.upsertJobScheduler(
      job.name,
      { every: everyMs },
      { name: job.name, opts: { removeOnComplete: true, removeOnFail: true } },
    );
  }
  const known = new Set(RECURRING.map(({ job }) => job.name));
  for (const { key } of await queue.getJobSchedulers()) {
    if (!known.has(key)) await queue.removeJobScheduler(key);
  }
}
