import { enqueueAll, enqueueAttempt, type PendingJob } from '@/lib/platform/queue/enqueue';

/** What to enqueue after a settlement is committed. */
export interface FollowUp {
  attempt: { queue: string; attemptId: string } | null;
  jobs: PendingJob[];
}

export async function enqueueFollowUp(followUp: FollowUp | null): Promise<void> {
  if (followUp?.attempt) await enqueueAttempt(followUp.attempt.queue, followUp.attempt.attemptId);
  await enqueueAll(followUp?.jobs ?? []);
}
