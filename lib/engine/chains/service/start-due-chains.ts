import { poolQueue } from '@/lib/fleet/queues';
import { enqueueAttempts } from '@/lib/platform/queue/enqueue';
import { startDueSlots } from '../due/data';

const BATCH = 200;

/**
 * Creates the chain of every due slot: exactly one each, across restarts and concurrent schedulers.
 *
 * @returns how many chains were created, including skipped ones
 */
export async function startDueChains(now = new Date()): Promise<number> {
  let made = 0;
  for (;;) {
    const batch = await startDueSlots(BATCH, now);
    made += batch.made;
    await enqueueAttempts(
      batch.waiting.map(({ poolId, attemptId }) => ({ queueName: poolQueue(poolId), attemptId })),
    );
    if (batch.seen < BATCH) return made;
  }
}
