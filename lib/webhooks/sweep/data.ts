import { systemDb } from '@/lib/db/global-db';

/** Deliveries of every organization that are due and whose doorbell may have been lost. */
export async function listDueDeliveries(
  now: Date,
  limit = 500,
): Promise<{ organizationId: string; deliveryId: string }[]> {
  const rows = await systemDb('due webhook deliveries').webhookDelivery.findMany({
    where: { status: { in: ['scheduled', 'retrying', 'sending'] }, nextAttemptAt: { lte: now } },
    orderBy: { nextAttemptAt: 'asc' },
    take: limit,
    select: { id: true, organizationId: true },
  });
  return rows.map((row) => ({ organizationId: row.organizationId, deliveryId: row.id }));
}
