import { queueOf } from '@/lib/fleet/queues';
import { enqueue, enqueueAttempts } from '@/lib/platform/queue/enqueue';
import { settleAttemptJob } from '@/lib/platform/queue/jobs';
import { listUnsettled, releaseFromHosts, takeUnclaimed } from './data';
import { explainWaits } from './explain-waits';

/**
 * The job of a row that was enqueued less than this many seconds ago counts as being on its way.
 */
export const QUIET_SECONDS = 5;

/**
 * Enqueues rows again whose job was lost: attempts that nobody claims, and results that nobody
 * settles. Job ids are made from the rows, so one too many changes nothing.
 *
 * @returns how many jobs were enqueued
 */
export async function enqueueWaiting(now = new Date()): Promise<number> {
  await releaseFromHosts(now);
  const quiet = new Date(now.getTime() - QUIET_SECONDS * 1_000);
  const waiting = await takeUnclaimed(quiet, now);
  await enqueueAttempts(waiting.map((row) => ({ queueName: queueOf(row), attemptId: row.id })));
  await explainWaits(waiting, now);
  const unsettled = await listUnsettled(quiet, now);
  for (const { organizationId, id } of unsettled) {
    await enqueue(settleAttemptJob, { organizationId, attemptId: id });
  }
  return waiting.length + unsettled.length;
}
