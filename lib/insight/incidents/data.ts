import type { Prisma } from '@/generated/prisma/client';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';

const SHOWN = {
  project: { select: { id: true, slug: true, name: true } },
  mergedInto: { select: { id: true, number: true } },
  mergedFrom: { orderBy: { number: 'asc' }, select: { id: true, number: true } },
  services: {
    orderBy: { failingSince: 'asc' },
    include: { service: { select: { removedAt: true } } },
  },
  chains: {
    orderBy: { at: 'asc' },
    select: { chain: { select: { id: true, number: true, outcome: true, highestTier: true } } },
  },
} as const satisfies Prisma.IncidentInclude;

export type ShownIncident = Prisma.IncidentGetPayload<{ include: typeof SHOWN }>;

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

/** Returns up to `take` incidents, newest first, or oldest first where they are those above an id. */
export function listIncidentRows(
  db: TenantDb,
  filter: IncidentFilter,
  place: { take: number; beforeId?: string | null; afterId?: string | null },
): Promise<ShownIncident[]> {
  const { take, beforeId, afterId } = place;
  return db.incident.findMany({
    where: {
      ...whereOf(filter),
      ...(afterId ? { id: { gt: afterId } } : beforeId ? { id: { lt: beforeId } } : {}),
    },
    orderBy: { id: afterId ? 'asc' : 'desc' },
    take,
    include: SHOWN,
  });
}

export function findIncidentRow(
  db: TenantDb,
  where: { id: string } | { projectId: string; number: number },
): Promise<ShownIncident | null> {
  return db.incident.findFirst({ where, include: SHOWN });
}

export function listEvents(db: TenantDb, incidentId: string) {
  return db.incidentEvent.findMany({ where: { incidentId }, orderBy: { sequence: 'asc' } });
}

/** Returns how many incidents aren't resolved, and how many of these need a human. */
export async function countActive(db: TenantDb): Promise<{ active: number; needHuman: number }> {
  const [active, needHuman] = await Promise.all([
    db.incident.count({ where: { state: { not: 'resolved' } } }),
    db.incident.count({ where: { state: 'open', needsHumanSince: { not: null } } }),
  ]);
  return { active, needHuman };
}

/** Returns the organization's slug: the scope of a token doesn't carry it. */
export async function getOrganizationSlug(db: TenantDb): Promise<string> {
  return (await db.organization.findFirstOrThrow({ select: { slug: true } })).slug;
}
