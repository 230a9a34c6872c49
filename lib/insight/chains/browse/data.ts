import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { ChainRow } from '../view/data';
import type { NextLook } from './fix-standing';
import type { ChainStateFilter, HopFilter } from './schema';

export interface ChainRowQuery {
  projectId: string | null;
  state: ChainStateFilter | undefined;
  tier: number | undefined;
  service: string | undefined;
  trigger: string | undefined;
  since: Date | undefined;
  until: Date | undefined;
  hop: HopFilter | undefined;
  reason: string | undefined;
  beforeId: string | null;
  afterId: string | null;
  limit: number;
}

/** Newest first, one more than asked for. `afterId` gives the ones right above it. */
export async function browseChainRows(db: TenantDb, query: ChainRowQuery): Promise<ChainRow[]> {
  const { projectId, state, tier, service, trigger, beforeId, afterId } = query;
  const isUpwards = afterId !== null;
  const rows = await db.chain.findMany({
    where: {
      ...(projectId ? { projectId } : {}),
      ...(state === 'moving' ? { outcome: null } : state ? { outcome: state } : {}),
      ...(tier ? { highestTier: tier } : {}),
      ...(service ? { servicesAffected: { has: service } } : {}),
      ...(trigger ? { trigger } : {}),
      ...createdIn(query),
      ...withHop(query),
      ...(isUpwards ? { id: { gt: afterId } } : beforeId ? { id: { lt: beforeId } } : {}),
    },
    orderBy: { id: isUpwards ? 'asc' : 'desc' },
    take: query.limit + 1,
    include: { project: { select: { id: true, slug: true, name: true } } },
  });
  return isUpwards ? rows.reverse() : rows;
}

function createdIn({ since, until }: ChainRowQuery) {
  if (!since && !until) return {};
  return { createdAt: { ...(since ? { gte: since } : {}), ...(until ? { lt: until } : {}) } };
}

function withHop({ hop, reason }: ChainRowQuery) {
  if (!hop && !reason) return {};
  const mechanism = hop === 'resume' ? 'resume' : 'handoff';
  const isOne = hop !== undefined && hop !== 'any';
  const verdict = isOne ? { verdict: mechanism } : {};
  return {
    sessions: {
      some: {
        parentSessionId: { not: null },
        ...(isOne ? { mechanism } : {}),
        ...(hop === 'fallback' ? { isFallback: true } : {}),
        ...(reason ? { decisions: { some: { kind: 'continuation', reason, ...verdict } } } : {}),
      },
    },
  };
}

/** A reported fix, and what came after it. */
export interface FixFacts {
  /** What it was about: affected at its end, or unhealthy at its first check. */
  services: string[];
  next: NextLook | null;
}

/** Names of the services that a chain's first checks found unhealthy, as SQL. */
const brokenIn = (chain: Prisma.Sql) => Prisma.sql`array(
  select s.name from service_health h
  join service s on s.organization_id = h.organization_id and s.id = h.service_id
  where h.organization_id = c.organization_id and h.chain_id = ${chain} and h.status_before <> 'healthy'
)`;

/** By chain; the next one is the first later one of its project that looked at the services. */
export async function findFixFacts(
  db: TenantDb,
  organizationId: OrganizationId,
  chainIds: readonly string[],
): Promise<Map<string, FixFacts>> {
  if (chainIds.length === 0) return new Map();
  const rows = await queryRaw<{
    id: string;
    services: string[];
    number: number | null;
    outcome: string | null;
    next_services: string[];
  }>(
    db,
    Prisma.sql`select c.id, c.services_affected || ${brokenIn(Prisma.sql`c.id`)} as services,
        n.number, n.outcome, n.services_affected || ${brokenIn(Prisma.sql`n.id`)} as next_services
      from chain c
      left join lateral (
        select id, number, outcome, services_affected from chain
        where organization_id = c.organization_id and project_id = c.project_id and id > c.id
          and outcome is not null and outcome not in ('skipped', 'stopped')
        order by id limit 1
      ) n on true
      where c.organization_id = ${organizationId}::uuid and c.id = any(${[...chainIds]}::uuid[])`,
  );
  return new Map(
    rows.map(({ id, services, number, outcome, next_services }) => [
      id,
      {
        services,
        next:
          number === null || outcome === null
            ? null
            : { number, outcome, servicesAffected: next_services },
      },
    ]),
  );
}
