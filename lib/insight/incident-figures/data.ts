import type { Prisma } from '@/generated/prisma/client';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type ChainFacts, figureEventSchema, type IncidentFacts } from './facts';

const FACTS = {
  services: { select: { serviceId: true, name: true } },
  chains: { orderBy: { at: 'asc' }, select: { chainId: true } },
  events: { orderBy: { sequence: 'asc' }, select: { at: true, event: true } },
} as const satisfies Prisma.IncidentInclude;

type FactsRow = Prisma.IncidentGetPayload<{ include: typeof FACTS }>;

/**
 * Returns up to `take` incidents that were opened in a span, the newest first. What was merged into one happened
 * in that one. `projectId` is a UUID.
 */
export async function listIncidentFacts(
  db: TenantDb,
  { projectId, from, to }: { projectId: string | null; from: Date; to: Date },
  take: number,
): Promise<IncidentFacts[]> {
  const rows = await db.incident.findMany({
    where: { openedAt: { gte: from, lt: to }, ...(projectId ? { projectId } : {}) },
    orderBy: { openedAt: 'desc' },
    take,
    include: FACTS,
  });
  const merged = await listMerged(db, rows);
  return rows.map((row) => {
    const parts = [row, ...(merged.get(row.id) ?? [])];
    const events = parts.flatMap((part) =>
      part.events.map(({ at, event }) => ({ ...figureEventSchema.parse(event), at })),
    );
    return {
      ...row,
      openedAt: new Date(Math.min(...parts.map(({ openedAt }) => openedAt.getTime()))),
      events: events.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
      chainIds: row.chains.map(({ chainId }) => chainId),
    };
  });
}

/** Returns what was merged into each of these incidents, directly or by another one. */
async function listMerged(
  db: TenantDb,
  rows: readonly FactsRow[],
): Promise<Map<string, FactsRow[]>> {
  const counted = rows.filter(({ mergedIntoId }) => mergedIntoId === null);
  const roots = new Map(counted.map(({ id }) => [id, id]));
  const merged = new Map<string, FactsRow[]>();
  let ids = [...roots.keys()];
  while (ids.length > 0) {
    const found = await db.incident.findMany({
      where: { mergedIntoId: { in: ids } },
      include: FACTS,
    });
    for (const row of found) {
      const root = roots.get(row.mergedIntoId ?? '') ?? row.id;
      roots.set(row.id, root);
      merged.set(root, [...(merged.get(root) ?? []), row]);
    }
    ids = found.map(({ id }) => id);
  }
  return merged;
}

/** Returns chains with what they changed, their model and their cost. Four queries. */
export async function listChainFacts(
  db: TenantDb,
  chainIds: readonly string[],
): Promise<ChainFacts[]> {
  if (chainIds.length === 0) return [];
  const ids = [...chainIds];
  const chains = await db.chain.findMany({
    where: { id: { in: ids } },
    select: {
      id: true,
      outcome: true,
      highestTier: true,
      sessions: { select: { id: true, tier: true, model: true }, orderBy: { number: 'asc' } },
    },
  });
  const [commands, actions, ledger] = await Promise.all([
    db.command.findMany({
      where: { session: { chainId: { in: ids } }, mayChange: true, state: 'succeeded' },
      distinct: ['sessionId', 'rule'],
      select: { sessionId: true, rule: true },
    }),
    db.cooldownAction.findMany({
      where: { session: { chainId: { in: ids } } },
      distinct: ['sessionId', 'action'],
      select: { sessionId: true, action: true },
    }),
    db.ledgerEntry.groupBy({
      by: ['chainId', 'tier', 'model', 'isEstimate'],
      where: { chainId: { in: ids } },
      _sum: { costMicros: true },
    }),
  ]);
  return chains.map(({ sessions, ...chain }) => {
    const own = new Set(sessions.map(({ id }) => id));
    const rules = commands.filter(({ sessionId }) => own.has(sessionId)).map(({ rule }) => rule);
    const named = actions.filter(({ sessionId }) => own.has(sessionId)).map(({ action }) => action);
    const known = rules.filter((rule) => rule !== null);
    const booked = ledger.filter(({ chainId }) => chainId === chain.id);
    const highest = booked.filter(({ tier }) => tier === chain.highestTier);
    const dearest = highest.toSorted((one, other) => microsOf(other) - microsOf(one))[0];
    const configured = sessions.findLast(({ tier }) => tier === chain.highestTier);
    return {
      ...chain,
      model: dearest?.model ?? configured?.model ?? null,
      actions: [...new Set(known.length > 0 ? known : named)],
      costMicros:
        booked.length > 0 ? booked.reduce((sum, entry) => sum + microsOf(entry), 0) : null,
      isCostEstimated: booked.some(({ isEstimate }) => isEstimate),
    };
  });
}

function microsOf({ _sum }: { _sum: { costMicros: bigint | null } }): number {
  return Number(_sum.costMicros ?? 0n);
}
