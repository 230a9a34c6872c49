import { v7 as uuidv7 } from 'uuid';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';
import type { WebhookEvent } from './schema';

export interface EventToDeliver {
  event: WebhookEvent;
  /** UUID of the project it is about. */
  projectId: string;
  chainId: string | null;
  /** What happened, such as `chain.completed:<uuid>`: once per endpoint, however often it is asked for. */
  occasion: string;
}

/**
 * Writes one delivery for every active endpoint that is subscribed: the project's own and those of
 * the whole organization.
 *
 * @returns ids of the new deliveries, to ring for after the commit
 */
export async function scheduleDeliveries(
  db: TenantDb,
  organizationId: OrganizationId,
  events: readonly EventToDeliver[],
  now: Date,
): Promise<string[]> {
  if (events.length === 0) return [];
  const endpoints = await db.webhookEndpoint.findMany({ where: { disabledAt: null } });
  const rows = events.flatMap(({ event, projectId, chainId, occasion }) => {
    const subscribed = endpoints.filter(
      (endpoint) =>
        endpoint.eventTypes.includes(event.type) &&
        (endpoint.projectId === null || endpoint.projectId === projectId),
    );
    const body = JSON.stringify(event);
    return subscribed.map((endpoint) => ({
      id: uuidv7(),
      organizationId,
      endpointId: endpoint.id,
      chainId,
      eventType: event.type,
      occasion,
      body,
      nextAttemptAt: now,
      createdAt: now,
    }));
  });
  if (rows.length === 0) return [];
  const inserted = await db.webhookDelivery.createManyAndReturn({
    data: rows,
    skipDuplicates: true,
    select: { id: true },
  });
  return inserted.map((row) => row.id);
}
