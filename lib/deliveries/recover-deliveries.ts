import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { ConflictError } from '@/lib/platform/errors';
import { requireId } from '@/lib/platform/ids';
import { enqueue, enqueueMany } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { releaseCritical } from './channels/admission-data';
import { getEndpointRow } from './endpoints/data';
import { reopenFailedDeliveries } from './outbox/data';
import { listDueDeliveries, listDueOfSameRecipient } from './outbox/sending-data';

/**
 * Sends again what an endpoint has missed since a time: every delivery that was exhausted, refused
 * or canceled, each with its own webhook-id and a new set of attempts.
 *
 * @returns how many
 */
export async function recoverDeliveries(
  scope: TenantScope,
  endpointId: string,
  since: Date,
  now = new Date(),
): Promise<number> {
  requireMay(scope, 'webhook.manage');
  const id = requireId('whk', endpointId);
  const { count, first } = await inTransaction(scope, async (db) => {
    const endpoint = await getEndpointRow(db, id);
    if (endpoint.disabledAt) {
      throw new ConflictError('The endpoint is disabled. Enable it, then recover the deliveries.');
    }
    const reopened = await reopenFailedDeliveries(db, id, since, now);
    if (reopened === 0) return { count: 0, first: [] };
    await recordAudit(db, scope, {
      action: 'webhook_delivery.recovered',
      target: endpointId,
      detail: { since: since.toISOString(), deliveries: reopened },
    });
    const due = await listDueOfSameRecipient(db, { endpointId: id, channelId: null }, now);
    return { count: reopened, first: due };
  });
  // Each of these enqueues the recipient's next one when it has been sent.
  for (const deliveryId of first) {
    await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId });
  }
  return count;
}

/**
 * Enqueues every delivery that is due: retries, and those whose job or process was lost.
 *
 * @returns how many were enqueued
 */
export async function enqueueDueDeliveries(now = new Date()): Promise<number> {
  await releaseCritical(now);
  const due = await listDueDeliveries(now);
  await enqueueMany(deliverWebhookJob, due);
  return due.length;
}
