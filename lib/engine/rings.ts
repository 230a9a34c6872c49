import { ringRunnerQueue } from '@/lib/platform/queue/enqueue';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/pending-jobs';

/** What to enqueue after a settlement is committed. */
export interface Rings {
  attempt: { queue: string; attemptId: string } | null;
  jobs: PendingJob[];
}

export async function ringAll(rings: Rings | null): Promise<void> {
  if (rings?.attempt) await ringRunnerQueue(rings.attempt.queue, rings.attempt.attemptId);
  await enqueueAll(rings?.jobs ?? []);
}
