import type { TenantScope } from '@/lib/platform/db/scope';
import { enqueue, ringRunnerQueue } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';

/** Doorbells of a settlement, to ring once its transaction is committed. */
export interface Rings {
  attempt: { queue: string; attemptId: string } | null;
  deliveries: string[];
}

export async function ringAll(scope: TenantScope, rings: Rings | null): Promise<void> {
  if (rings?.attempt) await ringRunnerQueue(rings.attempt.queue, rings.attempt.attemptId);
  for (const deliveryId of rings?.deliveries ?? []) {
    await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId });
  }
}
