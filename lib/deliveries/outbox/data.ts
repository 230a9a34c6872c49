import { v7 as uuidv7 } from 'uuid';
import type { Prisma } from '@/generated/prisma/client';
import { deletePast } from '@/lib/platform/db/due';
import { byId, literals, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import { idSince } from '@/lib/platform/ids';

/** Statuses of deliveries that are still to be sent. */
export const OPEN = ['scheduled', 'retrying', 'sending'];

/**
 * Deletes finished deliveries created before a time, with their attempts.
 *
 * @returns how many; fewer than `limit` if none are left
 */
export function deleteFinishedDeliveries(createdBefore: Date, limit: number): Promise<number> {
  return deletePast(
    'retention of deliveries',
    'webhookDelivery',
    ({ eb }) => eb('id', '<', idSince(createdBefore)).and('status', 'not in', literals(...OPEN)),
    limit,
  );
}

/**
 * Exactly one of `endpointId`, `channelId` and `mailTo` is set: the recipient. Messages about one `subject` reach a
 * channel in the order of `sequence`. One that supersedes drops the earlier ones about its subject once it is claimed.
 */
type NewDelivery = Omit<Prisma.WebhookDeliveryUncheckedCreateInput, 'organizationId'>;

export function insertDelivery(db: TenantDb, delivery: NewDelivery): Promise<DeliveryRecord> {
  return db.webhookDelivery.create({ data: { organizationId: db.organizationId, ...delivery } });
}

/**
 * Writes deliveries that are due at once, and returns their ids. The same occasion reaches the same recipient once.
 */
export async function insertDeliveries(
  db: TenantDb,
  deliveries: readonly Omit<NewDelivery, 'id' | 'nextAttemptAt' | 'createdAt'>[],
  now: Date,
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const { organizationId } = db;
  const inserted = await db.webhookDelivery.createManyAndReturn({
    data: deliveries.map((delivery) => ({
      ...{ organizationId, id: uuidv7(), nextAttemptAt: now, createdAt: now },
      ...delivery,
    })),
    skipDuplicates: true,
    select: { id: true },
  });
  return inserted.map((row) => row.id);
}

export async function getDeliveryRow(db: TenantDb, deliveryId: string): Promise<DeliveryRecord> {
  const row = await db.webhookDelivery.findFirst({ where: { id: deliveryId } });
  if (!row) throw new NotFoundError();
  return row;
}
export type DeliveryRecord = NonNullable<
  Awaited<ReturnType<TenantDb['webhookDelivery']['findFirst']>>
>;

/** Locks a delivery until the transaction ends; null if it was deleted. */
export async function lockDelivery(
  db: TenantDb,
  deliveryId: string,
): Promise<DeliveryRecord | null> {
  const [row] = await rowsOf(
    db,
    byId('webhookDelivery', db.organizationId, deliveryId).selectAll().forUpdate(),
  );
  return row ?? null;
}

export async function updateDelivery(
  db: TenantDb,
  deliveryId: string,
  changes: {
    status: string;
    attempts?: number;
    nextAttemptAt: Date | null;
    deliveredAt?: Date | null;
    heldAt?: Date;
    heldIncidentId?: string | null;
  },
): Promise<void> {
  await db.webhookDelivery.updateMany({ where: { id: deliveryId }, data: changes });
}

/** Cancels the deliveries that an endpoint or channel has not received yet. */
export async function cancelOpenDeliveries(
  db: TenantDb,
  recipient: { endpointId: string } | { channelId: string },
): Promise<void> {
  await db.webhookDelivery.updateMany({
    where: { ...recipient, status: { in: OPEN } },
    data: { status: 'cancelled', nextAttemptAt: null },
  });
}

/**
 * Reopens deliveries of an endpoint that did not arrive, to be sent again, oldest first. Returns
 * how many.
 */
export async function reopenFailedDeliveries(
  db: TenantDb,
  endpointId: string,
  since: Date,
  now: Date,
): Promise<number> {
  const { count } = await db.webhookDelivery.updateMany({
    where: {
      endpointId,
      status: { in: ['exhausted', 'refused', 'cancelled'] },
      createdAt: { gte: since },
    },
    data: { status: 'scheduled', attempts: 0, nextAttemptAt: now },
  });
  return count;
}

export async function insertAttempt(
  db: TenantDb,
  attempt: {
    deliveryId: string;
    at: Date;
    status: number | null;
    durationMs: number;
    error: string | null;
    responseExcerpt: string;
    requestHeaders?: Record<string, string>;
    responseHeaders?: Record<string, string>;
  },
): Promise<void> {
  const { _max } = await db.webhookAttempt.aggregate({
    where: { deliveryId: attempt.deliveryId },
    _max: { number: true },
  });
  await db.webhookAttempt.create({
    data: { organizationId: db.organizationId, number: (_max.number ?? 0) + 1, ...attempt },
  });
}

/** Returns deliveries, newest first. */
export function listDeliveryRows(
  db: TenantDb,
  filter: Place & {
    endpointId?: string | undefined;
    channelId?: string | undefined;
    /** Created at this time or later. */
    since?: Date | undefined;
    status?: string | readonly string[] | undefined;
  },
) {
  const { endpointId, channelId, since, status } = filter;
  const { id, ...page } = pageArgs(filter);
  const recipient = channelId ? { channelId } : { endpointId: endpointId ?? { not: null } };
  const statuses = status === undefined ? undefined : { in: [status].flat() };
  const where = { id, ...recipient, createdAt: { gte: since }, status: statuses };
  return db.webhookDelivery.findMany({ where, ...page });
}

export function listAttemptRows(db: TenantDb, deliveryIds: readonly string[]) {
  return db.webhookAttempt.findMany({
    where: { deliveryId: { in: [...deliveryIds] } },
    orderBy: [{ deliveryId: 'asc' }, { number: 'asc' }],
  });
}
