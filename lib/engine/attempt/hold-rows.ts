import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

export interface ServiceHold {
  /** UUID. */
  projectId: string;
  /** Number of the incident that the person has acknowledged. */
  incidentNumber: number;
  /** The person. */
  heldBy: string;
  /** Null: until it is released. */
  heldUntil: Date | null;
}

/**
 * Keeps agents away from the services that a person works on because of an incident, and releases the
 * others that the incident held before.
 *
 * @param serviceIds UUIDs; empty to release all
 */
export async function holdServices(
  db: TenantDb,
  organizationId: OrganizationId,
  hold: ServiceHold,
  serviceIds: readonly string[],
): Promise<void> {
  const { projectId, incidentNumber } = hold;
  await db.serviceHold.deleteMany({
    where: { projectId, incidentNumber, serviceId: { notIn: [...serviceIds] } },
  });
  for (const serviceId of serviceIds) {
    await db.serviceHold.upsert({
      where: { organizationId_serviceId: { organizationId, serviceId } },
      create: { organizationId, serviceId, ...hold },
      update: hold,
    });
  }
}
