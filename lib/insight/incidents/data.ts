import type { Prisma } from '@/generated/prisma/client';
import { SHOWN, type ShownIncident, toShown } from '@/lib/incidents/incident-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import { idSince } from '@/lib/platform/ids';

/** Ids are UUIDs. What is undefined filters nothing. */
export interface IncidentFilter {
  state?: string | undefined;
  projectId?: string | undefined;
  service?: string | undefined;
  /** Opened since then. */
  since?: Date | undefined;
}

function whereOf({ state, projectId, service, since }: IncidentFilter): Prisma.IncidentWhereInput {
  return {
    ...(state ? { state: state === 'active' ? { not: 'resolved' } : state } : {}),
    ...(projectId ? { projectId } : {}),
    ...(service ? { services: { some: { name: service } } } : {}),
    ...(since ? { AND: { id: { gte: idSince(since) } } } : {}),
  };
}

/** Returns incidents, newest first, one more than requested. */
export async function listShownIncidents(
  db: TenantDb,
  filter: IncidentFilter,
  { beforeId = null, afterId = null, limit }: Partial<Place> & { limit: number },
): Promise<ShownIncident[]> {
  const { id, ...page } = pageArgs({ beforeId, afterId, limit });
  const where = { ...whereOf(filter), id };
  const rows = await db.incident.findMany({ where, ...page, include: SHOWN });
  return (afterId ? rows.reverse() : rows).map(toShown);
}

export async function findShownIncident(
  db: TenantDb,
  where: { id: string } | { projectId: string; number: number },
): Promise<ShownIncident | null> {
  const row = await db.incident.findFirst({ where, include: SHOWN });
  return row && toShown(row);
}

/** Returns what only the page of an incident shows: what was merged into it, what was before it, and what is gone. */
export async function readRelated(db: TenantDb, { id, earlierId, services }: ShownIncident) {
  const reference = { select: { id: true, number: true } };
  const removed = await db.service.findMany({
    where: { id: { in: services.map(({ serviceId }) => serviceId) }, removedAt: { not: null } },
    select: { id: true },
  });
  return {
    mergedFrom: await db.incident.findMany({
      where: { mergedIntoId: id },
      orderBy: { number: 'asc' },
      ...reference,
    }),
    earlier: earlierId && (await db.incident.findFirst({ where: { id: earlierId }, ...reference })),
    removedIds: removed.map(({ id }) => id),
  };
}

/** A part of an incident's events, in order. */
export interface EventWindow {
  events: { sequence: number; at: Date; event: Prisma.JsonValue }[];
  /** Events before and after them. */
  earlier: number;
  later: number;
  /** When the next event after them happened; null if there is none. */
  nextAt: Date | null;
}

/** Returns the newest `take` events, or the last ones up to the number `until`. */
export async function readEventWindow(
  db: TenantDb,
  incidentId: string,
  { take, until }: { take: number; until: number | null },
): Promise<EventWindow> {
  const newest = await db.incidentEvent.findMany({
    where: { incidentId, ...(until === null ? {} : { sequence: { lte: until } }) },
    orderBy: { sequence: 'desc' },
    take,
    select: { sequence: true, at: true, event: true },
  });
  const events = newest.toReversed();
  const countWhere = (sequence: Prisma.IntFilter) =>
    db.incidentEvent.count({ where: { incidentId, sequence } });
  const [first, last] = [events[0], events.at(-1)];
  const earlier = first ? await countWhere({ lt: first.sequence }) : 0;
  if (until === null) return { events, earlier, later: 0, nextAt: null };
  const after = { gt: last?.sequence ?? until };
  const next = await db.incidentEvent.findFirst({
    where: { incidentId, sequence: after },
    orderBy: { sequence: 'asc' },
    select: { at: true },
  });
  return { events, earlier, later: next ? await countWhere(after) : 0, nextAt: next?.at ?? null };
}

/** Returns up to `take` alerts of an incident, those that fire first, then the newest, and how many there are. */
export async function listSignalsOf(db: TenantDb, incidentId: string, take: number) {
  const where = { incidents: { some: { incidentId } } } as const;
  const [signals, count] = await Promise.all([
    db.signal.findMany({
      where,
      // `firing` is the first of the statuses by its letters, too.
      orderBy: [{ status: 'asc' }, { startedAt: 'desc' }, { id: 'desc' }],
      take,
      select: {
        ...{
          id: true,
          title: true,
          severity: true,
          status: true,
          serviceText: true,
          repeats: true,
        },
        ...{ startedAt: true, endedAt: true, lastSeenAt: true },
        service: { select: { name: true } },
        source: { select: { id: true, name: true } },
      },
    }),
    db.incidentSignal.count({ where: { incidentId } }),
  ]);
  return { alerts: signals, count };
}

/** Returns what chains have cost in micro-dollars, by UUID; a chain without a booked cost is missing. */
export async function costsOfChains(
  db: TenantDb,
  chainIds: readonly string[],
): Promise<Map<string, number>> {
  if (chainIds.length === 0) return new Map();
  const rows = await db.ledgerEntry.groupBy({
    by: ['chainId'],
    where: { chainId: { in: [...chainIds] } },
    _sum: { costMicros: true },
  });
  return new Map(
    rows.flatMap(({ chainId, _sum }) =>
      chainId ? [[chainId, Number(_sum.costMicros ?? 0n)] as const] : [],
    ),
  );
}

/** Returns the organization's slug: the scope of a token doesn't carry it. */
export async function getOrganizationSlug(db: TenantDb): Promise<string> {
  return (await db.organization.findFirstOrThrow({ select: { slug: true } })).slug;
}
