import { type RawBuilder, sql } from 'kysely';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { sqlChanges, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { SameSignal } from './choose-for-signal';
import { type FiringSignals, incidentSignalsSchema } from './incident';
import { anySignalFires } from './signals-of-incident';

/** Connects alerts with an incident. Returns how many weren't before. */
export async function linkSignals(
  db: TenantDb,
  incidentId: string,
  signalIds: readonly string[],
): Promise<number> {
  return sqlChanges(db)`insert into incident_signal (organization_id, incident_id, signal_id)
      select ${db.organizationId}::uuid, ${incidentId}::uuid, id from unnest(${[...signalIds]}::uuid[]) as id
      on conflict do nothing`;
}

/** Returns what fires in an incident by now. */
export async function readFiring(db: TenantDb, incidentId: string): Promise<FiringSignals> {
  const rows = await sqlRows(db)<{
    serviceId: string | null;
  }>`select distinct a.service_id as "serviceId" from ${signalsOf(db.organizationId, incidentId)}
      and a.status = 'firing' order by 1`;
  return {
    serviceIds: rows.flatMap(({ serviceId }) => serviceId ?? []),
    hasOther: rows.some(({ serviceId }) => serviceId === null),
  };
}

/**
 * The alerts of an incident, as `a`. Each is looked up by its id: of a flood that PostgreSQL has no
 * statistics about yet, it would otherwise compare all firing alerts with all of the incident's.
 */
function signalsOf(organizationId: OrganizationId, incidentId: string): RawBuilder<unknown> {
  return sql`incident_signal l cross join lateral (
      select id, status, service_id from signal
      where organization_id = ${organizationId}::uuid and id = l.signal_id limit 1) a
    where l.organization_id = ${organizationId}::uuid and l.incident_id = ${incidentId}::uuid`;
}

/** How many alerts the prompt of an agent can be about. */
const FRAMED_SIGNALS = 50;

/** Returns UUIDs of an incident's alerts, those that fire first, and then the newest. */
export async function listSignalIds(db: TenantDb, incidentId: string): Promise<string[]> {
  const rows = await sqlRows(db)<{
    id: string;
  }>`select a.id from ${signalsOf(db.organizationId, incidentId)}
      order by a.status = 'firing' desc, a.id desc limit ${FRAMED_SIGNALS}`;
  return rows.map(({ id }) => id);
}

/**
 * Returns the incidents of alerts to which their end says something: those that aren't over, and those that
 * were resolved while an alert fired, which may be reopened. Ids are UUIDs.
 */
export async function listUnsettledOfSignals(
  db: TenantDb,
  signalIds: readonly string[],
): Promise<{ signalId: string; incidentId: string }[]> {
  const links = await db.incidentSignal.findMany({
    where: { signalId: { in: [...signalIds] } },
    orderBy: { incidentId: 'asc' },
    select: {
      ...{ signalId: true, incidentId: true },
      incident: { select: { state: true, alerts: true } },
    },
  });
  return links.flatMap(({ signalId, incidentId, incident: { state, alerts } }) => {
    const fires = anySignalFires({ alerts: incidentSignalsSchema.nullable().parse(alerts) });
    return state !== 'resolved' || fires ? [{ signalId, incidentId }] : [];
  });
}

/**
 * Returns the incidents that have the same alert as one of these: from the same source with the same
 * fingerprint, or of the same rule where one of the two has lost its signal. Alerts are looked up one by
 * one, as in `alertsOf`: `offset 0` keeps PostgreSQL from turning that into a join.
 *
 * @returns by the UUIDs of these alerts, newest incident first
 */
export async function listSameSignals(
  db: TenantDb,
  signalIds: readonly string[],
): Promise<Map<string, SameSignal[]>> {
  const rows = await sqlRows(db)<SameSignal & { signalId: string }>`with x as (
        select id, source_id, fingerprint, rule, kind from signal
        where organization_id = ${db.organizationId}::uuid and id = any(${[...signalIds]}::uuid[])
      ), lost as materialized (
        select id, source_id, rule from signal
        where organization_id = ${db.organizationId}::uuid and status = 'firing' and kind = 'signal_lost'
      ), same as (
        select x.id as signal_id, a.id from x cross join lateral (
          select id from signal where organization_id = ${db.organizationId}::uuid
            and source_id = x.source_id and fingerprint = x.fingerprint offset 0) a
        union
        select x.id, lost.id from x join lost on lost.source_id = x.source_id and lost.rule = x.rule
          where x.kind <> 'signal_lost'
        union
        select x.id, a.id from x cross join lateral (
          select id from signal where organization_id = ${db.organizationId}::uuid
            and source_id = x.source_id and status = 'firing' and rule = x.rule
            and kind <> 'signal_lost' offset 0) a
          where x.kind = 'signal_lost'
      )
      select same.signal_id as "signalId", i.id as "incidentId",
        i.resolution is not distinct from 'manual' as "isManual",
        bool_or(same.id = same.signal_id) as "isThisOccurrence"
      from same
      join incident_signal l on l.organization_id = ${db.organizationId}::uuid and l.signal_id = same.id
      join incident i on i.organization_id = l.organization_id and i.id = l.incident_id
      group by same.signal_id, i.id, i.resolution
      order by i.id desc`;
  const found = new Map<string, SameSignal[]>();
  for (const { signalId, ...same } of rows) {
    found.set(signalId, [...(found.get(signalId) ?? []), same]);
  }
  return found;
}
