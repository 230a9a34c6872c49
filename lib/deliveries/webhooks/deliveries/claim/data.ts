import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type DeliveryRecord, getDeliveryRow, OPEN } from '../data';

/** A sending that did not come back in this time counts as lost and is taken over. */
export const SENDING_LEASE_MS = 120_000;

/** How many messages may be on their way to one recipient at once, and within one organization. */
export const MOST_SENDING = { healthyRecipient: 4, failingRecipient: 1, organization: 20 } as const;

/**
 * Takes a due delivery for sending; null when there is nothing to take, or when its recipient has
 * enough in hand: it stays due and is rung for again. While it is sent, `nextAttemptAt` is the end
 * of the lease, so a lost sending becomes due by itself.
 */
export async function claimDelivery(
  db: TenantDb,
  organizationId: OrganizationId,
  deliveryId: string,
  now: Date,
): Promise<DeliveryRecord | null> {
  if (!(await takesTurn(db, organizationId, deliveryId))) return null;
  if (!(await hasRoom(db, organizationId, deliveryId, now))) return null;
  const { count } = await db.webhookDelivery.updateMany({
    where: { id: deliveryId, status: { in: OPEN }, nextAttemptAt: { lte: now } },
    data: {
      status: 'sending',
      attempts: { increment: 1 },
      nextAttemptAt: new Date(now.getTime() + SENDING_LEASE_MS),
    },
  });
  return count === 0 ? null : getDeliveryRow(db, deliveryId);
}

/**
 * Claims for one recipient take turns, so that none counts past another. Whoever finds it taken
 * leaves instead of holding a connection: the one that has it rings again when it has sent.
 */
async function takesTurn(
  db: TenantDb,
  organizationId: OrganizationId,
  deliveryId: string,
): Promise<boolean> {
  const [turn] = await queryRaw<{ is_ours: boolean }>(
    db,
    Prisma.sql`select pg_try_advisory_xact_lock(
        hashtextextended('recipient:' || coalesce(endpoint_id, channel_id, id), 0)) as is_ours
      from webhook_delivery
      where organization_id = ${organizationId}::uuid and id = ${deliveryId}::uuid`,
  );
  return turn?.is_ours ?? false;
}

/** One recipient that hangs must not hold every sender. A failing one gets a single message at a time. */
async function hasRoom(
  db: TenantDb,
  organizationId: OrganizationId,
  deliveryId: string,
  now: Date,
): Promise<boolean> {
  const [counted] = await queryRaw<{ is_failing: boolean; recipient: bigint; total: bigint }>(
    db,
    Prisma.sql`select coalesce(e.failing_since, c.failing_since) is not null as is_failing,
        count(o.id) as total,
        count(o.id) filter (where o.endpoint_id = d.endpoint_id or o.channel_id = d.channel_id) as recipient
      from webhook_delivery d
      left join webhook_endpoint e on e.organization_id = d.organization_id and e.id = d.endpoint_id
      left join notification_channel c on c.organization_id = d.organization_id and c.id = d.channel_id
      left join webhook_delivery o on o.organization_id = d.organization_id and o.id <> d.id
        and o.status = 'sending' and o.next_attempt_at > ${now}::timestamptz
      where d.organization_id = ${organizationId}::uuid and d.id = ${deliveryId}::uuid
      group by 1`,
  );
  if (!counted) return false;
  const most = counted.is_failing ? MOST_SENDING.failingRecipient : MOST_SENDING.healthyRecipient;
  return Number(counted.recipient) < most && Number(counted.total) < MOST_SENDING.organization;
}
