import { v7 as uuidv7 } from 'uuid';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { insertDeliveries } from './deliveries/data';
import { isFor } from './recipients';
import type { Happening } from './schema';

interface SubscribedEndpoint {
  id: string;
  projectId: string | null;
  eventTypes: readonly string[];
}

/**
 * Writes one delivery for every endpoint that is subscribed: the project's own and those of the
 * whole organization.
 *
 * @returns ids of the new deliveries, to ring for after the commit
 */
export function scheduleDeliveries(
  db: TenantDb,
  organizationId: OrganizationId,
  endpoints: readonly SubscribedEndpoint[],
  happenings: readonly Happening[],
  now: Date,
): Promise<string[]> {
  const deliveries = happenings.flatMap(({ event, projectId, chainId, occasion }) => {
    const body = JSON.stringify(event);
    return endpoints
      .filter(
        (endpoint) =>
          endpoint.eventTypes.includes(event.type) && isFor(endpoint.projectId, projectId),
      )
      .map((endpoint) => ({
        id: uuidv7(),
        endpointId: endpoint.id,
        chainId,
        eventType: event.type,
        occasion,
        body,
        nextAttemptAt: now,
        createdAt: now,
      }));
  });
  return insertDeliveries(db, organizationId, deliveries);
}
