import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';

/** Rung for at once; each that is sent rings for the next of its recipient. */
const PER_RECIPIENT = 4;

/**
 * Deliveries of every organization that are due and whose doorbell may have been lost. Few of each
 * recipient, so that a long queue for one that hangs leaves room for all others.
 */
export async function listDueDeliveries(
  now: Date,
  limit = 500,
): Promise<{ organizationId: string; deliveryId: string }[]> {
  const rows = await systemDb('due deliveries').$queryRaw<
    { organization_id: string; id: string }[]
  >(
    Prisma.sql`select organization_id, id from (
        select organization_id, id, next_attempt_at, row_number() over (
          partition by coalesce(endpoint_id, channel_id, id) order by next_attempt_at, id) as place
        from webhook_delivery
        where status in ('scheduled', 'retrying', 'sending') and next_attempt_at <= ${now}::timestamptz
      ) due
      where place <= ${PER_RECIPIENT} order by place, next_attempt_at limit ${limit}`,
  );
  return rows.map((row) => ({ organizationId: row.organization_id, deliveryId: row.id }));
}
