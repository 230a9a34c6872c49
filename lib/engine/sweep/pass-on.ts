import { runnerQueue } from '@/lib/fleet/queues';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ringRunnerQueue } from '@/lib/platform/queue/enqueue';
import { listAbleRunners } from './data';

/**
 * Rings for those runners of the pool that may take the attempt, after one that may not has taken
 * its doorbell: they hear of it now and not with the next sweep. Whoever claims first has it.
 */
export async function passOn(scope: TenantScope, attemptId: string, now: Date): Promise<void> {
  const runnerIds = await inTransaction(scope, (db) => listAbleRunners(db, attemptId, now));
  for (const runnerId of runnerIds) await ringRunnerQueue(runnerQueue(runnerId), attemptId);
}
