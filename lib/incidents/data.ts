import { sql } from 'kysely';
import type { Prisma } from '@/generated/prisma/client';
import { toJson } from '@/lib/platform/db/raw';
import { sqlChanges, sqlRows, systemRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { IncidentEvent } from './events/registry';
import type { AffectedService } from './incident';
import { columnsOf, STORED, type StoredIncident, toStored } from './incident-rows';

function findRows(db: TenantDb, where: Prisma.IncidentWhereInput, take?: number) {
  return db.incident.findMany({
    where,
    include: STORED,
    orderBy: { id: 'desc' },
    ...(take ? { take } : {}),
  });
}

/** Locks a project's incidents until the transaction ends: what is read after it stays true. */
export async function lockIncidents(db: TenantDb, projectId: string): Promise<void> {
  const key = `incidents ${db.organizationId} ${projectId}`;
  await sqlRows(db)`select pg_advisory_xact_lock(hashtextextended(${key}, 0))::text as locked`;
}

/** Returns the incidents of a project that aren't over, newest first. */
export async function listActive(db: TenantDb, projectId: string): Promise<StoredIncident[]> {
  return (await findRows(db, { projectId, state: { not: 'resolved' } })).map(toStored);
}

/** What was merged is part of an incident that is listed itself. */
const OVER = { state: 'resolved', resolution: { not: 'merged' } };

/** How many incidents that were resolved lately an alert can reopen. */
const RESOLVED_LATELY = 100;

/** Returns the incidents of a project that were resolved since a time, newest first. */
export async function listResolvedSince(
  db: TenantDb,
  projectId: string,
  since: Date,
): Promise<StoredIncident[]> {
  const where = { projectId, ...OVER, resolvedAt: { gte: since } };
  return (await findRows(db, where, RESOLVED_LATELY)).map(toStored);
}

/** How many incidents that are over are looked at for each service that fails. */
export const EARLIER_INCIDENTS = 5;

/**
 * Returns the incidents that changes of services of a project may be about: those that aren't over, those that
 * a person has ended before one of these services was healthy, and of each the newest that are over.
 */
export async function listConcerned(
  db: TenantDb,
  { projectId, serviceIds }: { projectId: string; serviceIds: readonly string[] },
): Promise<StoredIncident[]> {
  const earlier = await sqlRows(db)<{
    id: string;
  }>`select distinct e.id from unnest(${[...serviceIds]}::uuid[]) as given(id)
      cross join lateral (
        select i.id from incident_service s
        join incident i on i.organization_id = s.organization_id and i.id = s.incident_id
        where s.organization_id = ${db.organizationId}::uuid and s.service_id = given.id
          and i.state = 'resolved' and i.resolution <> 'merged'
        order by i.id desc limit ${EARLIER_INCIDENTS}
      ) e`;
  const unsettled = {
    serviceId: { in: [...serviceIds] },
    removedAt: null,
    status: { not: 'healthy' },
  };
  const rows = await findRows(db, {
    OR: [
      { projectId, state: { not: 'resolved' } },
      { state: 'resolved', services: { some: unsettled } },
      { id: { in: earlier.map(({ id }) => id) } },
    ],
  });
  return rows.map(toStored);
}

export async function findIncident(db: TenantDb, id: string): Promise<StoredIncident | null> {
  const [row] = await findRows(db, { id }, 1);
  return row ? toStored(row) : null;
}

/** Returns the incidents that a chain is about. */
export async function listOfChain(db: TenantDb, chainId: string): Promise<StoredIncident[]> {
  return (await findRows(db, { chains: { some: { chainId } } })).map(toStored);
}

/** Returns the next number of a project's incidents, which have to be locked. */
export async function nextNumber(db: TenantDb, projectId: string): Promise<number> {
  const newest = await db.incident.findFirst({
    where: { projectId },
    orderBy: { number: 'desc' },
    select: { number: true },
  });
  return (newest?.number ?? 0) + 1;
}

interface ChangedIncident {
  incident: StoredIncident;
  /** Null: its row exists. */
  opening: { earlierId: string | null } | null;
  /** Those that have changed. */
  services: readonly AffectedService[];
  events: readonly { sequence: number; event: IncidentEvent }[];
}

/** Stores what events changed, with the events. */
export async function saveIncidents(
  db: TenantDb,
  changed: readonly ChangedIncident[],
  at: Date,
): Promise<void> {
  for (const { incident, opening } of changed) {
    const { id, projectId, number, source, openedAt } = incident;
    const columns = columnsOf(incident);
    if (opening) {
      const place = {
        organizationId: db.organizationId,
        id,
        projectId,
        number,
        source,
        openedAt,
        ...opening,
      };
      await db.incident.create({ data: { ...place, ...columns }, select: { id: true } });
    } else {
      await db.incident.updateMany({ where: { id }, data: columns });
    }
  }
  await saveServices(
    db,
    changed.flatMap(({ incident, services }) =>
      services.map((service) => ({ ...service, incidentId: incident.id })),
    ),
  );
  await db.incidentEvent.createMany({
    data: changed.flatMap(({ incident, events }) =>
      events.map(({ sequence, event }) => ({
        ...{ organizationId: db.organizationId, incidentId: incident.id, sequence, at },
        ...{ kind: event.kind, event: toJson(event) },
      })),
    ),
  });
}

async function saveServices(
  db: TenantDb,
  services: readonly (AffectedService & { incidentId: string })[],
): Promise<void> {
  if (services.length === 0) return;
  await sqlChanges(
    db,
  )`insert into incident_service (organization_id, incident_id, service_id, name, status, worst,
        failing_since, recovered_at, error, was_failing, relapses, removed_at)
      select ${db.organizationId}::uuid, "incidentId", "serviceId", name, status, worst,
        "failingSince", "recoveredAt", error, "wasFailing", relapses, "removedAt"
      from jsonb_to_recordset(${JSON.stringify(services)}::jsonb) as t(
        "incidentId" uuid, "serviceId" uuid, name text, status text, worst text, "failingSince" timestamptz,
        "recoveredAt" timestamptz, error text, "wasFailing" boolean, relapses int, "removedAt" timestamptz)
      on conflict (organization_id, incident_id, service_id) do update set name = excluded.name,
        status = excluded.status, worst = excluded.worst, failing_since = excluded.failing_since,
        recovered_at = excluded.recovered_at, error = excluded.error, was_failing = excluded.was_failing,
        relapses = excluded.relapses, removed_at = excluded.removed_at`;
}

/** Connects a chain with an incident. */
export async function linkChain(
  db: TenantDb,
  link: { incidentId: string; chainId: string; at: Date },
): Promise<void> {
  await db.incidentChain.createMany({
    data: [{ organizationId: db.organizationId, ...link }],
    skipDuplicates: true,
  });
}

/** Returns whether a chain that looks at an incident hasn't ended. */
export async function hasRunningChain(db: TenantDb, incidentId: string): Promise<boolean> {
  return (await db.incidentChain.count({ where: { incidentId, chain: { endedAt: null } } })) > 0;
}

/**
 * Gives the alerts of an incident to another one, and its chains to both: what it did is still shown there. Ids
 * are UUIDs.
 */
export async function moveLinks(
  db: TenantDb,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  const chains = await db.incidentChain.findMany({ where: { incidentId: fromId } });
  for (const { chainId, at } of chains) {
    await linkChain(db, { incidentId: toId, chainId, at });
  }
  const signals = await db.incidentSignal.findMany({ where: { incidentId: fromId } });
  await db.incidentSignal.createMany({
    data: signals.map(({ signalId }) => ({
      organizationId: db.organizationId,
      signalId,
      incidentId: toId,
    })),
    skipDuplicates: true,
  });
  await db.incidentSignal.deleteMany({ where: { incidentId: fromId } });
}

/**
 * Returns the incidents that have been due for the longest time, and puts them off: one that fails, waits,
 * or is left by a process that dies comes after those of everybody else.
 */
export function takeDue(now: Date, putOffUntil: Date, limit: number) {
  return systemRows(
    'incidents of every organization',
    sql<{ id: string; organizationId: string; projectId: string }>`with due as (
        select id from incident where due_at <= ${now}::timestamptz
        order by due_at, id limit ${limit} for update skip locked
      )
      update incident i set due_at = ${putOffUntil}::timestamptz
      from due
      where i.id = due.id
      returning i.id, i.organization_id, i.project_id`,
  );
}
