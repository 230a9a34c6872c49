import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { queryRaw, toJson } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import { incidentAlertsSchema } from './alerts-of-incident';
import { HELD_NOTICES, type HeldNotice } from './held-notices';
import { type Incident, type IncidentEvent, unprovenChecksSchema } from './incident';
import {
  FAILING_STATUSES,
  incidentResolutionSchema,
  incidentSeveritySchema,
  incidentSourceSchema,
  incidentStateSchema,
} from './states';

const WITH_SERVICES = { services: { orderBy: { failingSince: 'asc' } } } as const;

/** A stored incident: what the rules see, and what identifies it. */
export interface StoredIncident extends Incident {
  /** UUID. */
  id: string;
  projectId: string;
  number: number;
  sequence: number;
  announcedAt: Date | null;
  /** When people were notified that it needs a human; null if they weren't since it was opened or reopened. */
  needAnnouncedAt: Date | null;
  /** What people are to be notified of once nothing mutes it. */
  heldNotices: readonly HeldNotice[];
}

function toIncident(row: Awaited<ReturnType<typeof findRows>>[number]): StoredIncident {
  const { acknowledgedAt, acknowledgedBy, acknowledgementEndsAt, needsHumanSince } = row;
  return {
    ...row,
    state: incidentStateSchema.parse(row.state),
    source: incidentSourceSchema.parse(row.source),
    severity: incidentSeveritySchema.parse(row.severity),
    resolution: incidentResolutionSchema.nullable().parse(row.resolution),
    acknowledgement:
      acknowledgedAt && acknowledgedBy !== null
        ? { at: acknowledgedAt, by: acknowledgedBy, endsAt: acknowledgementEndsAt }
        : null,
    silence: row.silencedBy === null ? null : { by: row.silencedBy, endsAt: row.silencedUntil },
    needsHuman: needsHumanSince && { since: needsHumanSince, chainId: row.needsHumanChainId },
    unproven: unprovenChecksSchema.nullable().parse(row.unproven),
    heldNotices: z.array(z.enum(HELD_NOTICES)).parse(row.heldNotices),
    services: row.services.map((service) => ({
      ...service,
      status: serviceStatusSchema.parse(service.status),
      worst: z.enum(FAILING_STATUSES).parse(service.worst),
    })),
    alerts: incidentAlertsSchema.nullable().parse(row.alerts),
  };
}

function findRows(db: TenantDb, where: Prisma.IncidentWhereInput, take?: number) {
  return db.incident.findMany({
    where,
    include: WITH_SERVICES,
    orderBy: { id: 'desc' },
    ...(take ? { take } : {}),
  });
}

/** Locks a project's incidents until the transaction ends: what is read after it stays true. */
export async function lockIncidents(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
): Promise<void> {
  const key = `incidents ${organizationId} ${projectId}`;
  await queryRaw(
    db,
    Prisma.sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))::text as locked`,
  );
}

/** Returns the incidents of a project that aren't over, newest first. */
export async function listActive(db: TenantDb, projectId: string): Promise<StoredIncident[]> {
  return (await findRows(db, { projectId, state: { not: 'resolved' } })).map(toIncident);
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
  return (await findRows(db, where, RESOLVED_LATELY)).map(toIncident);
}

/** Returns the newest resolved incidents that a service was part of. */
export async function listEarlier(db: TenantDb, serviceId: string): Promise<StoredIncident[]> {
  const where = { ...OVER, services: { some: { serviceId } } };
  return (await findRows(db, where, 5)).map(toIncident);
}

/**
 * Returns the incidents that a change of a service says something about: those that aren’t over, and those
 * that a person has ended before the service was healthy.
 */
export async function listUnsettled(db: TenantDb, serviceId: string): Promise<StoredIncident[]> {
  const present = { serviceId, removedAt: null };
  const rows = await findRows(db, {
    OR: [
      { state: { not: 'resolved' }, services: { some: present } },
      { state: 'resolved', services: { some: { ...present, status: { not: 'healthy' } } } },
    ],
  });
  return rows.map(toIncident);
}

/** Returns those of these services that `listUnsettled` has incidents for. Ids are UUIDs. */
export async function listServicesOfUnsettled(
  db: TenantDb,
  serviceIds: readonly string[],
): Promise<string[]> {
  const rows = await db.incidentService.findMany({
    where: {
      serviceId: { in: [...serviceIds] },
      removedAt: null,
      OR: [{ incident: { state: { not: 'resolved' } } }, { status: { not: 'healthy' } }],
    },
    distinct: ['serviceId'],
    orderBy: { serviceId: 'asc' },
    select: { serviceId: true },
  });
  return rows.map(({ serviceId }) => serviceId);
}

export async function findIncident(db: TenantDb, id: string): Promise<StoredIncident | null> {
  const [row] = await findRows(db, { id }, 1);
  return row ? toIncident(row) : null;
}

/** Returns the incidents that a chain is about. */
export async function listOfChain(db: TenantDb, chainId: string): Promise<StoredIncident[]> {
  return (await findRows(db, { chains: { some: { chainId } } })).map(toIncident);
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

function columnsOf(incident: Incident, dueAt: Date | null) {
  const { acknowledgement, needsHuman } = incident;
  return {
    state: incident.state,
    severity: incident.severity,
    startedAt: incident.startedAt,
    acknowledgedAt: acknowledgement?.at ?? null,
    acknowledgedBy: acknowledgement?.by ?? null,
    acknowledgementEndsAt: acknowledgement?.endsAt ?? null,
    silencedUntil: incident.silence?.endsAt ?? null,
    silencedBy: incident.silence?.by ?? null,
    verifyingSince: incident.verifyingSince,
    resolvedAt: incident.resolvedAt,
    resolution: incident.resolution,
    resolvedBy: incident.resolvedBy,
    mergedIntoId: incident.mergedIntoId,
    reopenings: incident.reopenings,
    lastReopenedAt: incident.lastReopenedAt,
    needsHumanSince: needsHuman?.since ?? null,
    needsHumanChainId: needsHuman?.chainId ?? null,
    unproven: incident.unproven === null ? Prisma.DbNull : toJson(incident.unproven),
    fixChainId: incident.fixChainId,
    lookDueAt: incident.lookDueAt,
    humanDueAt: incident.humanDueAt,
    alerts: incident.alerts === null ? Prisma.DbNull : toJson(incident.alerts),
    dueAt,
  };
}

/** Stores a new incident with its first event; it is due at once. Returns its UUID. */
export async function insertIncident(
  db: TenantDb,
  organizationId: OrganizationId,
  incident: Incident & { projectId: string; number: number; earlierId: string | null },
  event: IncidentEvent,
  at: Date,
): Promise<string> {
  const { projectId, number, earlierId, source, openedAt } = incident;
  const { id } = await db.incident.create({
    data: {
      organizationId,
      ...{ projectId, number, earlierId, source, openedAt, sequence: 1 },
      ...columnsOf(incident, openedAt),
    },
    select: { id: true },
  });
  await writeServices(db, organizationId, id, incident);
  await insertEvent(db, organizationId, { incidentId: id, sequence: 1, at }, event);
  return id;
}

/**
 * Stores what an event changed, with the event.
 *
 * @param place.dueAt when the sweep looks at the incident next; null: never
 */
export async function updateIncident(
  db: TenantDb,
  organizationId: OrganizationId,
  { id, sequence, dueAt }: { id: string; sequence: number; dueAt: Date | null },
  incident: Incident,
  event: IncidentEvent,
  at: Date,
): Promise<void> {
  await db.incident.updateMany({
    where: { id },
    data: { ...columnsOf(incident, dueAt), sequence },
  });
  await writeServices(db, organizationId, id, incident);
  await insertEvent(db, organizationId, { incidentId: id, sequence, at }, event);
}

async function insertEvent(
  db: TenantDb,
  organizationId: OrganizationId,
  place: { incidentId: string; sequence: number; at: Date },
  event: IncidentEvent,
): Promise<void> {
  await db.incidentEvent.create({
    data: { organizationId, ...place, kind: event.kind, event: toJson(event) },
  });
}

async function writeServices(
  db: TenantDb,
  organizationId: OrganizationId,
  incidentId: string,
  { services }: Incident,
): Promise<void> {
  for (const { serviceId, ...service } of services) {
    const { name, status, worst, failingSince, recoveredAt, error } = service;
    const { wasFailing, relapses, removedAt } = service;
    const columns = {
      ...{ name, status, worst, failingSince, recoveredAt, error },
      ...{ wasFailing, relapses, removedAt },
    };
    await db.incidentService.upsert({
      where: { organizationId_incidentId_serviceId: { organizationId, incidentId, serviceId } },
      create: { organizationId, incidentId, serviceId, ...columns },
      update: columns,
    });
  }
}

/** Connects a chain with an incident. */
export async function linkChain(
  db: TenantDb,
  organizationId: OrganizationId,
  link: { incidentId: string; chainId: string; at: Date },
): Promise<void> {
  await db.incidentChain.createMany({ data: [{ organizationId, ...link }], skipDuplicates: true });
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
  organizationId: OrganizationId,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  const chains = await db.incidentChain.findMany({ where: { incidentId: fromId } });
  for (const { chainId, at } of chains) {
    await linkChain(db, organizationId, { incidentId: toId, chainId, at });
  }
  const alerts = await db.incidentAlert.findMany({ where: { incidentId: fromId } });
  await db.incidentAlert.createMany({
    data: alerts.map(({ alertId }) => ({ organizationId, alertId, incidentId: toId })),
    skipDuplicates: true,
  });
  await db.incidentAlert.deleteMany({ where: { incidentId: fromId } });
}

export async function markAnnounced(db: TenantDb, id: string, at: Date | null): Promise<void> {
  const data = { announcedAt: at, needAnnouncedAt: null, heldNotices: [] };
  await db.incident.updateMany({ where: { id }, data });
}

/** Stores when people were notified that an incident needs a human; null if they have yet to be. */
export async function markNeedAnnounced(db: TenantDb, id: string, at: Date | null): Promise<void> {
  await db.incident.updateMany({ where: { id }, data: { needAnnouncedAt: at } });
}

/** Stores what people are notified of later. */
export async function holdNotices(
  db: TenantDb,
  id: string,
  heldNotices: readonly HeldNotice[],
): Promise<void> {
  await db.incident.updateMany({ where: { id }, data: { heldNotices: [...heldNotices] } });
}

/** Stores when the sweep looks at an incident next. */
export async function scheduleIncident(
  db: TenantDb,
  id: string,
  dueAt: Date | null,
): Promise<void> {
  await db.incident.updateMany({ where: { id }, data: { dueAt } });
}

/**
 * Returns the incidents that have been due for the longest time, and puts them off: one that fails, waits,
 * or is left by a process that dies comes after those of everybody else.
 */
export function takeDue(
  now: Date,
  putOffUntil: Date,
  limit: number,
): Promise<{ id: string; organizationId: string; projectId: string }[]> {
  return systemDb('incidents of every organization').$queryRaw(
    Prisma.sql`update incident i set due_at = ${putOffUntil}::timestamptz
      from (
        select id from incident where due_at <= ${now}::timestamptz
        order by due_at, id limit ${limit} for update skip locked
      ) due
      where i.id = due.id
      returning i.id, i.organization_id as "organizationId", i.project_id as "projectId"`,
  );
}
