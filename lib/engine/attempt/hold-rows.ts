import { sqlChanges } from '@/lib/platform/db/sql';
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
  hold: ServiceHold,
  serviceIds: readonly string[],
): Promise<void> {
  const { projectId, incidentNumber } = hold;
  await db.serviceHold.deleteMany({
    where: { projectId, incidentNumber, serviceId: { notIn: [...serviceIds] } },
  });
  if (serviceIds.length === 0) return;
  const { heldBy, heldUntil } = hold;
  await sqlChanges(db)`insert into service_hold
        (organization_id, service_id, project_id, incident_number, held_by, held_until)
      select ${db.organizationId}::uuid, id, ${projectId}::uuid, ${incidentNumber}::int, ${heldBy},
        ${heldUntil}::timestamptz
      from unnest(${[...serviceIds]}::uuid[]) as id
      on conflict (organization_id, service_id) do update set project_id = excluded.project_id,
        incident_number = excluded.incident_number, held_by = excluded.held_by,
        held_until = excluded.held_until`;
}
