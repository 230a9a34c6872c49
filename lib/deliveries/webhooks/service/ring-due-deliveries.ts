import { enqueue } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { listDueDeliveries } from '../sweep/data';

/**
 * Rings for every delivery that is due: retries, and those whose doorbell or process was lost.
 *
 * @returns how many doorbells were rung
 */
export async function ringDueDeliveries(now = new Date()): Promise<number> {
  const due = await listDueDeliveries(now);
  for (const row of due) await enqueue(deliverWebhookJob, row);
  return due.length;
}
