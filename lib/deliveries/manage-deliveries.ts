import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { recordAudit } from '@/lib/identity/audit/record-audit';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import { daysBefore, deleteInBatches } from '@/lib/platform/db/batches';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { ConflictError, NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { enqueue } from '@/lib/platform/queue/enqueue';
import { deliverWebhookJob } from '@/lib/platform/queue/jobs';
import { getEndpointRow } from './endpoints/data';
import {
  type DeliveryRecord,
  deleteFinishedDeliveries,
  getDeliveryRow,
  insertDelivery,
  listAttemptRows,
  listDeliveryRows,
  lockDelivery,
  updateDelivery,
} from './outbox/data';
import {
  type DeliveryDto,
  type DeliveryStatus,
  deliveryStatusSchema,
  headersSchema,
} from './outbox/schema';
import type { WebhookEvent } from './schema';

/** Returns the deliveries of endpoints, newest first, each with its attempts. */
export function listDeliveries(
  scope: TenantScope,
  page: {
    limit: number;
    cursor?: string | undefined;
    /** `whk_…` */
    endpoint?: string | undefined;
    /** One status or several. */
    status?: DeliveryStatus | readonly DeliveryStatus[] | undefined;
    /** ISO 8601: created at this time or later. */
    since?: string | undefined;
  },
): Promise<{ data: DeliveryDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const endpointId = page.endpoint && requireId('whk', page.endpoint);
  return inTransaction(scope, async (db) => {
    if (endpointId) await getEndpointRow(db, endpointId);
    const { limit, status } = page;
    const since = page.since ? new Date(page.since) : undefined;
    const found = await listDeliveryRows(db, { limit, beforeId, endpointId, status, since });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    const log = await listAttemptRows(
      db,
      rows.map((row) => row.id),
    );
    const data = rows.map((row) =>
      toDeliveryDto(
        ofEndpoint(row),
        log.filter((attempt) => attempt.deliveryId === row.id),
      ),
    );
    return { data, nextCursor };
  });
}

export function getDelivery(scope: TenantScope, deliveryId: string): Promise<DeliveryDto> {
  const id = requireId('dlv', deliveryId);
  return inTransaction(scope, async (db) =>
    toDeliveryDto(ofEndpoint(await getDeliveryRow(db, id)), await listAttemptRows(db, [id])),
  );
}

/**
 * Limits a delivery to endpoints: the log neither shows nor replays those to channels and
 * mailboxes.
 */
function ofEndpoint(row: DeliveryRecord): DeliveryRecord & { endpointId: string } {
  const { endpointId } = row;
  if (!endpointId) throw new NotFoundError();
  return { ...row, endpointId };
}

/** Sends a message again with the same webhook-id and a new set of attempts. */
export async function replayDelivery(
  scope: TenantScope,
  deliveryId: string,
  now = new Date(),
): Promise<DeliveryDto> {
  requireMay(scope, 'webhook.manage');
  const id = requireId('dlv', deliveryId);
  const dto = await inTransaction(scope, async (db) => {
    const delivery = await lockDelivery(db, id);
    const row = ofEndpoint(delivery ?? (await getDeliveryRow(db, id)));
    if (['scheduled', 'sending', 'retrying'].includes(row.status)) {
      throw new ConflictError('This delivery is still in progress. Replay it once it has ended.');
    }
    const endpoint = await getEndpointRow(db, row.endpointId);
    if (endpoint.disabledAt) {
      throw new ConflictError('The endpoint is disabled. Enable it, then replay the delivery.');
    }
    await updateDelivery(db, id, {
      status: 'scheduled',
      attempts: 0,
      nextAttemptAt: now,
      deliveredAt: null,
    });
    const again = ofEndpoint(await getDeliveryRow(db, id));
    const after = toDeliveryDto(again, await listAttemptRows(db, [id]));
    await recordAudit(db, scope, {
      action: 'webhook_delivery.replayed',
      target: after.id,
      detail: { endpointId: after.endpointId, statusBefore: row.status },
    });
    return after;
  });
  await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId: id });
  return dto;
}

/** Sends `webhook.test` to one endpoint, with the usual signature and retries. */
export async function sendTestEvent(
  scope: TenantScope,
  endpointId: string,
  now = new Date(),
): Promise<DeliveryDto> {
  requireMay(scope, 'webhook.manage');
  const endpointUuid = requireId('whk', endpointId);
  const id = uuidv7();
  const dto = await inTransaction(scope, async (db) => {
    const endpoint = await getEndpointRow(db, endpointUuid);
    if (endpoint.disabledAt) {
      throw new ConflictError('The endpoint is disabled. Enable it, then send the test event.');
    }
    const organization = await db.organization.findFirstOrThrow({});
    const event: WebhookEvent = {
      type: 'webhook.test',
      timestamp: now.toISOString(),
      data: {
        organization: {
          id: encodeId('org', organization.id),
          slug: organization.slug,
          name: organization.name,
        },
        summary: `This is a test event from Tierwatch for ${organization.name}. No action is needed.`,
        link: `${env().publicUrl}/${organization.slug}/webhooks/${endpointId}`,
        endpointId,
      },
    };
    const row = await insertDelivery(db, {
      id,
      endpointId: endpoint.id,
      chainId: null,
      eventType: event.type,
      occasion: `test:${id}`,
      body: JSON.stringify(event),
      nextAttemptAt: now,
      createdAt: now,
    });
    await recordAudit(db, scope, { action: 'webhook_endpoint.tested', target: endpointId });
    return toDeliveryDto(ofEndpoint(row), []);
  });
  await enqueue(deliverWebhookJob, { organizationId: scope.organizationId, deliveryId: id });
  return dto;
}

/** The log doesn't contain deliveries to channels and mailboxes. */
type DeliveryRow = DeliveryRecord & { endpointId: string };

type DeliveryAttemptRow = Awaited<ReturnType<typeof listAttemptRows>>[number];

function toDeliveryDto(row: DeliveryRow, log: readonly DeliveryAttemptRow[]): DeliveryDto {
  return {
    id: encodeId('dlv', row.id),
    endpointId: encodeId('whk', row.endpointId),
    chainId: row.chainId && encodeId('chn', row.chainId),
    eventType: row.eventType,
    status: deliveryStatusSchema.parse(row.status),
    attempts: row.attempts,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    body: row.body,
    log: log.map((attempt) => ({
      number: attempt.number,
      at: attempt.at.toISOString(),
      status: attempt.status,
      durationMs: attempt.durationMs,
      error: attempt.error,
      responseExcerpt: attempt.responseExcerpt,
      requestHeaders: headersSchema.nullable().parse(attempt.requestHeaders),
      responseHeaders: headersSchema.nullable().parse(attempt.responseHeaders),
    })),
  };
}

/** Retention of finished deliveries, in days: how long a message can be read and replayed. */
export const DELIVERY_RETENTION_DAYS = 90;

/** Deletes the deliveries of every organization whose retention has passed. */
export async function pruneDeliveries(now = new Date()): Promise<void> {
  const createdBefore = daysBefore(now, DELIVERY_RETENTION_DAYS);
  await deleteInBatches((limit) => deleteFinishedDeliveries(createdBefore, limit));
}
