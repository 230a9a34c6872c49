import { deletePast } from '@/lib/platform/db/due';
import { byId, literals, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
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

interface NewDelivery {
  id: string;
  /** Exactly one of these three fields is set: the recipient. */
  endpointId?: string;
  channelId?: string;
  mailTo?: string[];
  chainId: string | null;
  eventType: string;
  occasion: string;
  body: string;
  /** Dedup key of the outage it is about; such messages reach a channel in the order of `sequence`. */
  subject?: string | null;
  sequence?: bigint | null;
  /** Earlier messages about the subject that weren't sent are dropped once this one is claimed. */
  supersedes?: boolean;
  nextAttemptAt: Date;
  createdAt: Date;
}

export function insertDelivery(db: TenantDb, delivery: NewDelivery): Promise<DeliveryRecord> {
  return db.webhookDelivery.create({ data: { organizationId: db.organizationId, ...delivery } });
}

/**
 * Writes new deliveries and returns their ids. The same occasion reaches the same recipient once.
 */
export async function insertDeliveries(
  db: TenantDb,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  if (deliveries.length === 0) return [];
  const inserted = await db.webhookDelivery.createManyAndReturn({
    data: deliveries.map((delivery) => ({ organizationId: db.organizationId, ...delivery })),
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
  page: {
    limit: number;
    beforeId: string | null;
    endpointId?: string | undefined;
    channelId?: string | undefined;
    /** Created at this time or later. */
    since?: Date | undefined;
    status?: string | readonly string[] | undefined;
  },
) {
  return db.webhookDelivery.findMany({
    where: {
      ...(page.beforeId ? { id: { lt: page.beforeId } } : {}),
      ...recipientOf(page),
      ...(page.since ? { createdAt: { gte: page.since } } : {}),
      ...(page.status ? { status: { in: [page.status].flat() } } : {}),
    },
    orderBy: { id: 'desc' },
    take: page.limit + 1,
  });
}

function recipientOf(page: { endpointId?: string | undefined; channelId?: string | undefined }) {
  if (page.channelId) return { channelId: page.channelId };
  return { endpointId: page.endpointId ?? { not: null } };
}

export function listAttemptRows(db: TenantDb, deliveryIds: readonly string[]) {
  return db.webhookAttempt.findMany({
    where: { deliveryId: { in: [...deliveryIds] } },
    orderBy: [{ deliveryId: 'asc' }, { number: 'asc' }],
  });
}
