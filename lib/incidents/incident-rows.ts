import { z } from 'zod';
import type { Prisma } from '@/generated/prisma/client';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import { HELD_NOTICES, type HeldNotice } from './held-notices';
import { type Incident, unprovenChecksSchema } from './incident';
import { incidentSignalsSchema } from './signals-of-incident';
import {
  FAILING_STATUSES,
  incidentResolutionSchema,
  incidentSeveritySchema,
  incidentSourceSchema,
  incidentStateSchema,
} from './states';
import { NEED_A_HUMAN } from './transitions';

/** A stored incident: what the rules see, and what identifies it. */
export interface StoredIncident extends Incident {
  /** UUID. */
  id: string;
  projectId: string;
  number: number;
  sequence: number;
  /** When the sweep looks at it next; null: never. */
  dueAt: Date | null;
  announcedAt: Date | null;
  /** When people were notified that it needs a human; null if they weren't since it was opened or reopened. */
  needAnnouncedAt: Date | null;
  /** What people are to be notified of once nothing mutes it. */
  heldNotices: readonly HeldNotice[];
}

/** An incident with what it is shown with. Ids are UUIDs. */
export interface ShownIncident extends StoredIncident {
  project: { id: string; slug: string; name: string };
  mergedInto: { id: string; number: number } | null;
  earlierId: string | null;
  /** Those that looked at it or acted on it, in order. */
  chains: {
    id: string;
    number: number;
    outcome: string | null;
    statusText: string;
    highestTier: number;
  }[];
}

/** In the order in which they failed. */
const SERVICES = { orderBy: { failingSince: 'asc' } } as const;
export const STORED = { services: SERVICES } as const satisfies Prisma.IncidentInclude;
export const SHOWN = {
  services: SERVICES,
  project: { select: { id: true, slug: true, name: true } },
  mergedInto: { select: { id: true, number: true } },
  chains: {
    orderBy: { at: 'desc' },
    select: {
      chain: {
        select: { id: true, number: true, outcome: true, statusText: true, highestTier: true },
      },
    },
  },
} as const satisfies Prisma.IncidentInclude;

export function toStored(
  row: Prisma.IncidentGetPayload<{ include: typeof STORED }>,
): StoredIncident {
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
    alerts: incidentSignalsSchema.nullable().parse(row.alerts),
  };
}

export function toShown(row: Prisma.IncidentGetPayload<{ include: typeof SHOWN }>): ShownIncident {
  const { project, mergedInto, earlierId } = row;
  const chains = row.chains.map(({ chain }) => chain).toReversed();
  return { ...toStored(row), project, mergedInto, earlierId, chains };
}

/** Returns an incident with its newest chain. `incidentId` is a UUID. */
export async function getShownIncident(db: TenantDb, incidentId: string): Promise<ShownIncident> {
  const include = { ...SHOWN, chains: { ...SHOWN.chains, take: 1 } };
  return toShown(await db.incident.findFirstOrThrow({ where: { id: incidentId }, include }));
}

/**
 * Returns whether people learn of a chain's end by its incident. They don't if it needs a human although
 * the incident's services pass by now, or because of a service that no incident is about.
 *
 * @param chainId UUID of a chain whose end the incidents have taken in
 */
export async function isAnnouncedByIncident(db: TenantDb, chainId: string): Promise<boolean> {
  const incidents = await db.incident.findMany({
    where: { chains: { some: { chainId } } },
    select: { state: true, needsHumanChainId: true, services: { select: { name: true } } },
  });
  if (incidents.length === 0) return false;
  const { outcome, servicesAffected } = await getChainRow(db, chainId);
  if (!NEED_A_HUMAN.includes(outcome ?? '')) return true;
  const active = incidents.filter(({ state }) => state === 'open' || state === 'acknowledged');
  const names = active.flatMap(({ services }) => services.map(({ name }) => name));
  return (
    active.some(({ needsHumanChainId }) => needsHumanChainId === chainId) ||
    (active.length > 0 && servicesAffected.every((name) => names.includes(name)))
  );
}
