import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/db/raw';
import type { TenantDb } from '@/lib/db/tenant-db';
import type { OrganizationId } from '@/lib/tenancy/scope';
import type { ChainRow } from '../view/data';
import type { NextLook } from './fix-standing';
import type { ChainStateFilter } from './schema';

export interface ChainRowQuery {
  projectId: string | null;
  state: ChainStateFilter | undefined;
  tier: number | undefined;
  service: string | undefined;
  trigger: string | undefined;
  since: Date | undefined;
  beforeId: string | null;
  afterId: string | null;
  limit: number;
}

/** Newest first, one more than asked for. `afterId` gives the ones right above it. */
export async function browseChainRows(db: TenantDb, query: ChainRowQuery): Promise<ChainRow[]> {
  const { projectId, state, tier, service, trigger, since, beforeId, afterId } = query;
  const isUpwards = afterId !== null;
  const rows = await db.chain.findMany({
    where: {
      ...(projectId ? { projectId } : {}),
      ...(state === 'moving' ? { outcome: null } : state ? { outcome: state } : {}),
      ...(tier ? { highestTier: tier } : {}),
      ...(service ? { servicesAffected: { has: service } } : {}),
      ...(trigger ? { trigger } : {}),
      ...(since ? { createdAt: { gte: since } } : {}),
      ...(isUpwards ? { id: { gt: afterId } } : beforeId ? { id: { lt: beforeId } } : {}),
    },
    orderBy: { id: isUpwards ? 'asc' : 'desc' },
    take: query.limit + 1,
    include: { project: { select: { id: true, slug: true, name: true } } },
  });
  return isUpwards ? rows.reverse() : rows;
}

/** By chain: the first later one of its project that looked at the services. */
export async function findNextLooks(
  db: TenantDb,
  organizationId: OrganizationId,
  chainIds: readonly string[],
): Promise<Map<string, NextLook>> {
  if (chainIds.length === 0) return new Map();
  const rows = await queryRaw<{
    id: string;
    number: number;
    outcome: string;
    services_affected: string[];
  }>(
    db,
    Prisma.sql`select c.id, n.number, n.outcome, n.services_affected from chain c
      cross join lateral (
        select number, outcome, services_affected from chain
        where organization_id = c.organization_id and project_id = c.project_id and id > c.id
          and outcome is not null and outcome not in ('skipped', 'stopped')
        order by id limit 1
      ) n
      where c.organization_id = ${organizationId}::uuid and c.id = any(${[...chainIds]}::uuid[])`,
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { number: row.number, outcome: row.outcome, servicesAffected: row.services_affected },
    ]),
  );
}

/** By chain: the services that its first checks found unhealthy, before anything was done. */
export async function findBrokenServices(
  db: TenantDb,
  chainIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (chainIds.length === 0) return new Map();
  const rows = await db.serviceHealth.findMany({
    where: { chainId: { in: [...chainIds] }, statusBefore: { not: 'healthy' } },
    select: { chainId: true, service: { select: { name: true } } },
  });
  const broken = new Map<string, string[]>();
  for (const { chainId, service } of rows) {
    broken.set(chainId, [...(broken.get(chainId) ?? []), service.name]);
  }
  return broken;
}

/** Names of what a project watches now; of all projects without one. */
export async function listServiceNames(db: TenantDb, projectId: string | null): Promise<string[]> {
  const rows = await db.service.findMany({
    where: { removedAt: null, ...(projectId ? { projectId } : {}) },
    orderBy: [{ position: 'asc' }, { name: 'asc' }],
    select: { name: true },
    take: 200,
  });
  return [...new Set(rows.map((row) => row.name))];
}
