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
export async function readFiring(
  db: TenantDb,
  organizationId: OrganizationId,
  incidentId: string,
): Promise<FiringAlerts> {
  const rows = await queryRaw<{ serviceId: string | null }>(
    db,
    Prisma.sql`select distinct a.service_id as "serviceId" from ${alertsOf(organizationId, incidentId)}
      and a.status = 'firing' order by 1`,
  );
  return {
    serviceIds: rows.flatMap(({ serviceId }) => serviceId ?? []),
    hasOther: rows.some(({ serviceId }) => serviceId === null),
  };
}

/**
 * The alerts of an incident, as `a`. Each is looked up by its id: of a flood that PostgreSQL has no
 * statistics about yet, it would otherwise compare all firing alerts with all of the incident's.
 */
function alertsOf(organizationId: OrganizationId, incidentId: string): Prisma.Sql {
  return Prisma.sql`incident_alert l cross join lateral (
      select id, status, service_id from alert
      where organization_id = ${organizationId}::uuid and id = l.alert_id limit 1) a
    where l.organization_id = ${organizationId}::uuid and l.incident_id = ${incidentId}::uuid`;
}

/** How many alerts the prompt of an agent can be about. */
const FRAMED_ALERTS = 50;

/** Returns UUIDs of an incident's alerts, those that fire first, and then the newest. */
export async function listAlertIds(
  db: TenantDb,
  organizationId: OrganizationId,
  incidentId: string,
): Promise<string[]> {
  const rows = await queryRaw<{ id: string }>(
    db,
    Prisma.sql`select a.id from ${alertsOf(organizationId, incidentId)}
      order by a.status = 'firing' desc, a.id desc limit ${FRAMED_ALERTS}`,
  );
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
 * fingerprint, or of the same rule where one of the two has lost its signal. Alerts are looked up one by
 * one, as in `alertsOf`: `offset 0` keeps PostgreSQL from turning that into a join.
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
      ), lost as materialized (
        select id, source_id, rule from alert
        where organization_id = ${organizationId}::uuid and status = 'firing' and kind = 'signal_lost'
      ), same as (
        select x.id as alert_id, a.id from x cross join lateral (
          select id from alert where organization_id = ${organizationId}::uuid
            and source_id = x.source_id and fingerprint = x.fingerprint offset 0) a
        union
        select x.id, lost.id from x join lost on lost.source_id = x.source_id and lost.rule = x.rule
          where x.kind <> 'signal_lost'
        union
        select x.id, a.id from x cross join lateral (
          select id from alert where organization_id = ${organizationId}::uuid
            and source_id = x.source_id and status = 'firing' and rule = x.rule
            and kind <> 'signal_lost' offset 0) a
          where x.kind = 'signal_lost'
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
