import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/db/raw';
import type { TenantDb } from '@/lib/db/tenant-db';
import { NotFoundError } from '@/lib/errors';
import type { OrganizationId } from '@/lib/tenancy/scope';

/** A sending that did not come back in this time counts as lost and is taken over. */
export const SENDING_LEASE_MS = 120_000;

const OPEN = ['scheduled', 'retrying', 'sending'];

export async function insertDelivery(
  db: TenantDb,
  organizationId: OrganizationId,
  delivery: {
    id: string;
    endpointId: string;
    chainId: string | null;
    eventType: string;
    occasion: string;
    body: string;
    nextAttemptAt: Date;
    createdAt: Date;
  },
) {
  return db.webhookDelivery.create({ data: { organizationId, ...delivery } });
}

/**
 * Takes a due delivery for sending; null when there is nothing to take. While it is sent,
 * `nextAttemptAt` is the end of the lease, so a lost sending becomes due by itself.
 */
export async function claimDelivery(db: TenantDb, deliveryId: string, now: Date) {
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

export async function getDeliveryRow(db: TenantDb, deliveryId: string) {
  const row = await db.webhookDelivery.findFirst({ where: { id: deliveryId } });
  if (!row) throw new NotFoundError();
  return row;
}

/** Keeps other writers of the delivery out until the transaction ends; null when it is gone. */
export async function lockDelivery(
  db: TenantDb,
  organizationId: OrganizationId,
  deliveryId: string,
) {
  const locked = await queryRaw<{ id: string }>(
    db,
    Prisma.sql`select id from webhook_delivery
      where organization_id = ${organizationId}::uuid and id = ${deliveryId}::uuid for update`,
  );
  return locked.length === 0 ? null : getDeliveryRow(db, deliveryId);
}

export async function updateDelivery(
  db: TenantDb,
  deliveryId: string,
  changes: {
    status: string;
    attempts?: number;
    nextAttemptAt: Date | null;
    deliveredAt?: Date | null;
  },
): Promise<void> {
  await db.webhookDelivery.updateMany({ where: { id: deliveryId }, data: changes });
}

/** Whatever an endpoint still had to get is not sent any more. */
export async function cancelOpenDeliveries(db: TenantDb, endpointId: string): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { endpointId, status: { in: OPEN } },
    data: { status: 'cancelled', nextAttemptAt: null },
  });
}

export async function insertAttempt(
  db: TenantDb,
  organizationId: OrganizationId,
  attempt: {
    deliveryId: string;
    at: Date;
    status: number | null;
    durationMs: number;
    error: string | null;
    responseExcerpt: string;
  },
): Promise<void> {
  const { _max } = await db.webhookAttempt.aggregate({
    where: { deliveryId: attempt.deliveryId },
    _max: { number: true },
  });
  await db.webhookAttempt.create({
    data: { organizationId, number: (_max.number ?? 0) + 1, ...attempt },
  });
}

/** Newest first. */
export function listDeliveryRows(
  db: TenantDb,
  page: {
    limit: number;
    beforeId: string | null;
    endpointId?: string | undefined;
    status?: string | readonly string[] | undefined;
  },
) {
  return db.webhookDelivery.findMany({
    where: {
      ...(page.beforeId ? { id: { lt: page.beforeId } } : {}),
      ...(page.endpointId ? { endpointId: page.endpointId } : {}),
      ...(page.status ? { status: { in: [page.status].flat() } } : {}),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
}

export function listAttemptRows(db: TenantDb, deliveryIds: readonly string[]) {
  return db.webhookAttempt.findMany({
    where: { deliveryId: { in: [...deliveryIds] } },
    orderBy: [{ deliveryId: 'asc' }, { number: 'asc' }],
  });
}
