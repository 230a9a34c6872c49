import { Prisma } from '@/generated/prisma/client';
import { executeRaw, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { anyAlertFires, type FiringAlerts, incidentAlertsSchema } from './alerts-of-incident';
import type { SameAlert } from './choose-for-alert';
import { incidentResolutionSchema, incidentStateSchema } from './states';

/** Connects alerts with an incident. Returns how many weren't before. */
export async function linkAlerts(
  db: TenantDb,
  organizationId: OrganizationId,
  incidentId: string,
  alertIds: readonly string[],
): Promise<number> {
  return executeRaw(
    db,
    Prisma.sql`insert into incident_alert (organization_id, incident_id, alert_id)
      select ${organizationId}::uuid, ${incidentId}::uuid, id from unnest(${[...alertIds]}::uuid[]) as id
      on conflict do nothing`,
  );
}

/** Returns what fires in an incident by now. */
export async function readFiring(db: TenantDb, incidentId: string): Promise<FiringAlerts> {
  const rows = await db.alert.findMany({
    where: { status: 'firing', incidents: { some: { incidentId } } },
    distinct: ['serviceId'],
    orderBy: { serviceId: 'asc' },
    select: { serviceId: true },
  });
  return {
    serviceIds: rows.flatMap(({ serviceId }) => serviceId ?? []),
    hasOther: rows.some(({ serviceId }) => serviceId === null),
  };
}

/** How many alerts the prompt of an agent can be about. */
const FRAMED_ALERTS = 50;

/** Returns UUIDs of an incident's alerts, those that fire first, and then the newest. */
export async function listAlertIds(db: TenantDb, incidentId: string): Promise<string[]> {
  const rows = await db.alert.findMany({
    where: { incidents: { some: { incidentId } } },
    // Of the statuses, "firing" comes first.
    orderBy: [{ status: 'asc' }, { id: 'desc' }],
    take: FRAMED_ALERTS,
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

/**
 * Returns the incidents of alerts to which their end says something: those that aren't over, and those that
 * were resolved while an alert fired, which may be reopened. Ids are UUIDs.
 */
export async function listUnsettledOfAlerts(
  db: TenantDb,
  alertIds: readonly string[],
): Promise<{ alertId: string; incidentId: string }[]> {
  const links = await db.incidentAlert.findMany({
    where: { alertId: { in: [...alertIds] } },
    orderBy: { incidentId: 'asc' },
    select: {
      ...{ alertId: true, incidentId: true },
      incident: { select: { state: true, alerts: true } },
    },
  });
  return links.flatMap(({ alertId, incidentId, incident: { state, alerts } }) => {
    const fires = anyAlertFires({ alerts: incidentAlertsSchema.nullable().parse(alerts) });
    return state !== 'resolved' || fires ? [{ alertId, incidentId }] : [];
  });
}

/**
 * Returns the incidents that have the same alert as one of these: from the same source with the same
 * fingerprint, or of the same rule where one of the two has lost its signal.
 *
 * @returns by the UUIDs of these alerts, newest incident first
 */
export async function listSameAlerts(
  db: TenantDb,
  organizationId: OrganizationId,
  alertIds: readonly string[],
): Promise<Map<string, SameAlert[]>> {
  const rows = await queryRaw<SameAlert & { alertId: string }>(
    db,
    Prisma.sql`with x as (
        select id, source_id, fingerprint, rule, kind from alert
        where organization_id = ${organizationId}::uuid and id = any(${[...alertIds]}::uuid[])
      ), same as (
        select x.id as alert_id, a.id from x join alert a on a.organization_id = ${organizationId}::uuid
          and a.source_id = x.source_id and a.fingerprint = x.fingerprint
        union
        select x.id, a.id from x join alert a on a.organization_id = ${organizationId}::uuid
          and a.source_id = x.source_id and a.status = 'firing' and a.rule = x.rule
          and (a.kind = 'signal_lost') <> (x.kind = 'signal_lost')
      )
      select same.alert_id as "alertId", i.id as "incidentId", i.state, i.resolution,
        bool_or(same.id = same.alert_id) as "isThisOccurrence"
      from same
      join incident_alert l on l.organization_id = ${organizationId}::uuid and l.alert_id = same.id
      join incident i on i.organization_id = l.organization_id and i.id = l.incident_id
      group by same.alert_id, i.id, i.state, i.resolution
      order by i.id desc`,
  );
  const found = new Map<string, SameAlert[]>();
  for (const { alertId, incidentId, isThisOccurrence, state, resolution } of rows) {
    const same: SameAlert = {
      ...{ incidentId, isThisOccurrence },
      state: incidentStateSchema.parse(state),
      resolution: incidentResolutionSchema.nullable().parse(resolution),
    };
    found.set(alertId, [...(found.get(alertId) ?? []), same]);
  }
  return found;
}
