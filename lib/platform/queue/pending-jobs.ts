import { enqueue } from './enqueue';
import type { JobDefinition } from './jobs';

/** A job for rows that a transaction has written: enqueued once that is committed. */
export interface PendingJob {
  readonly name: string;
  readonly payload: unknown;
  enqueue(): Promise<void>;
}

export function pendingJob<Payload>(job: JobDefinition<Payload>, payload: Payload): PendingJob {
  return { name: job.name, payload, enqueue: () => enqueue(job, payload) };
}

/** Only after the commit: a worker may look at once. A job that can't be enqueued is the sweep's. */
export async function enqueueAll(jobs: readonly PendingJob[]): Promise<void> {
  for (const job of jobs) await job.enqueue();
}
