import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import { toJson } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { HELD_NOTICES, type HeldNotice } from './held-notices';
import { factsOf, type Incident, incidentSchema } from './incident';
import { NEED_A_HUMAN } from './transitions';

/** What identifies an incident, and when it is looked at and was announced. */
export interface IncidentRecord {
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
export type StoredIncident = Incident & IncidentRecord;

/** An incident with what it is shown with. Ids are UUIDs. */
export type ShownIncident = StoredIncident & {
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
};

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

/** Returns of an incident what the rules don't see. */
export function recordOf(incident: IncidentRecord): IncidentRecord {
  const { id, projectId, number, sequence, dueAt } = incident;
  const { announcedAt, needAnnouncedAt, heldNotices } = incident;
  return { id, projectId, number, sequence, dueAt, announcedAt, needAnnouncedAt, heldNotices };
}

/**
 * Returns an incident as it is stored.
 *
 * @throws Error if the row lacks what its state needs, or has what its state can't have
 */
export function toStored(
  row: Prisma.IncidentGetPayload<{ include: typeof STORED }>,
): StoredIncident {
  const { acknowledgedAt, acknowledgedBy, needsHumanSince, needsHumanChainId, unproven } = row;
  const incident = incidentSchema.parse({
    ...row,
    acknowledgement: acknowledgedAt && {
      ...{ at: acknowledgedAt, by: acknowledgedBy, endsAt: row.acknowledgementEndsAt },
    },
    silence: row.silencedBy === null ? null : { by: row.silencedBy, endsAt: row.silencedUntil },
    needsHuman: needsHumanSince && { since: needsHumanSince, chainId: needsHumanChainId, unproven },
  });
  const heldNotices = z.array(z.enum(HELD_NOTICES)).parse(row.heldNotices);
  const impossible = Object.entries(stateColumnsOf(incident)).flatMap(([column, value]) =>
    value === null && row[column as keyof StateColumns] !== null ? column : [],
  );
  if (impossible.length > 0) {
    throw new Error(`Incident ${row.id} is ${row.state} and can’t have ${impossible.join(', ')}.`);
  }
  return { ...recordOf({ ...row, heldNotices }), ...incident };
}

/** Returns the columns that belong to states: null for what the state of this incident doesn't have. */
function stateColumnsOf(incident: Incident) {
  const { acknowledgement, silence, needsHuman, ...columns } = factsOf(incident);
  return {
    ...columns,
    acknowledgedAt: acknowledgement?.at ?? null,
    acknowledgedBy: acknowledgement?.by ?? null,
    acknowledgementEndsAt: acknowledgement?.endsAt ?? null,
    silencedUntil: silence?.endsAt ?? null,
    silencedBy: silence?.by ?? null,
    needsHumanSince: needsHuman?.since ?? null,
    needsHumanChainId: needsHuman?.chainId ?? null,
    unproven: needsHuman?.unproven ?? null,
  };
}
type StateColumns = ReturnType<typeof stateColumnsOf>;

/** Returns what is stored of an incident and can change. */
export function columnsOf(incident: StoredIncident) {
  const { state, severity, startedAt, reopenings, lastReopenedAt, alerts } = incident;
  const { id: _, projectId: __, number: ___, heldNotices, ...record } = recordOf(incident);
  const { unproven, ...columns } = stateColumnsOf(incident);
  return {
    ...{ state, severity, startedAt, reopenings, lastReopenedAt, ...record, ...columns },
    heldNotices: [...heldNotices],
    unproven: unproven === null ? Prisma.DbNull : toJson(unproven),
    alerts: alerts === null ? Prisma.DbNull : toJson(alerts),
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
