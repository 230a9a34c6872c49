import { type RawBuilder, sql } from 'kysely';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';

interface RecoveryMatch {
  organizationId: OrganizationId;
  /** UUID; null: every project. */
  projectId: string | null;
  /** Between which moments an outage ended, the second not included. */
  from: Date;
  to: Date;
}

/** How far before the range an outage that ends in it may have begun. */
const LOOK_BACK_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * SQL of the outages that ended in a span, each with its end (`at`), how long it took (`seconds`)
 * and the chain that found the service healthy (`chain_id`): from the first unhealthy result of a
 * service to its first healthy one. The first word of a chain counts at its start, the last one
 * when it was measured.
 */
export function endedOutages({
  organizationId,
  projectId,
  from,
  to,
}: RecoveryMatch): RawBuilder<unknown> {
  const sinceId = idSince(new Date(from.getTime() - LOOK_BACK_DAYS * DAY_MS));
  return sql`
    select ended.at, ended.chain_id,
      greatest(0, extract(epoch from ended.at - case when h.status_before <> 'healthy'
        and coalesce(previous.status, 'healthy') = 'healthy' then coalesce(c.started_at, c.created_at) else h.at end))::float8 as seconds
    from service s
    join service_health h on h.organization_id = s.organization_id and h.service_id = s.id
      and h.chain_id >= ${sinceId}::uuid and (h.status <> 'healthy' or h.status_before <> 'healthy')
    join chain c on c.organization_id = h.organization_id and c.id = h.chain_id
    left join lateral (
      select status from service_health
      where organization_id = h.organization_id and service_id = h.service_id and chain_id < h.chain_id
      order by chain_id desc limit 1) previous on true
    cross join lateral (
      -- Repaired within the chain that found it, or by the first later result that is healthy.
      select h.at, h.chain_id where h.status = 'healthy'
      union all
      select case when n.status_before = 'healthy' then coalesce(nc.started_at, nc.created_at) else n.at end, n.chain_id
      from (
        select organization_id, chain_id, status_before, at from service_health
        where h.status <> 'healthy' and organization_id = h.organization_id and service_id = h.service_id
          and chain_id > h.chain_id and (status_before = 'healthy' or status = 'healthy')
        order by chain_id limit 1) n
      join chain nc on nc.organization_id = n.organization_id and nc.id = n.chain_id
      limit 1) ended
    where s.organization_id = ${organizationId}::uuid
      ${projectId === null ? sql`` : sql`and s.project_id = ${projectId}::uuid`}
      and (h.status_before = 'healthy' or coalesce(previous.status, 'healthy') = 'healthy')
      and ended.at >= ${from.toISOString()}::timestamptz and ended.at < ${to.toISOString()}::timestamptz`;
}

/** More chains than this are cut to the newest. */
const MAX_CHAINS = 5_000;

/** Ids of the chains in which a service recovered within the span. */
export async function listRecoveryChainIds(db: TenantDb, match: RecoveryMatch): Promise<string[]> {
  const rows = await sqlRows(db)<{
    id: string;
  }>`select distinct chain_id as id from (${endedOutages(match)}) as outage
      order by chain_id desc limit ${MAX_CHAINS}`;
  return rows.map((row) => row.id);
}
