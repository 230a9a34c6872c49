import {
  endPausesJob,
  expireLeasesJob,
  type JobDefinition,
  pruneJob,
  reportOfflineRunnersJob,
  ringDoorbellsJob,
  startDueChainsJob,
} from '@/lib/platform/queue/jobs';

/** Every recurring job. Several workers share one schedule: a beat is taken by whoever is first. */
export const RECURRING: readonly { job: Pick<JobDefinition<unknown>, 'name'>; everyMs: number }[] =
  [
    { job: startDueChainsJob, everyMs: 1_000 },
    { job: ringDoorbellsJob, everyMs: 2_000 },
    { job: endPausesJob, everyMs: 5_000 },
    { job: expireLeasesJob, everyMs: 5_000 },
    { job: reportOfflineRunnersJob, everyMs: 10_000 },
    { job: pruneJob, everyMs: 3_600_000 },
  ];
