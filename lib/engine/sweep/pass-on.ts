import { runnerQueue } from '@/lib/fleet/queues';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { enqueueAttempt } from '@/lib/platform/queue/enqueue';
import { listAbleRunners } from './data';

/**
 * Enqueues an attempt for those runners of the pool that may run it, after a runner that may not
 * has taken its wake-up job. They get it now instead of with the next sweep, and the first to claim
 * it runs it.
 */
export async function passOn(scope: TenantScope, attemptId: string, now: Date): Promise<void> {
  const runnerIds = await inTransaction(scope, (db) => listAbleRunners(db, attemptId, now));
  for (const runnerId of runnerIds) await enqueueAttempt(runnerQueue(runnerId), attemptId);
}
