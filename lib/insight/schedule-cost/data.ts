import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

const NEWEST_CHAINS = 200;

const rowSchema = z.object({
  harness: z.string(),
  model: z.string(),
  chains: z.number(),
  medianMicros: z.number(),
});

/** Of a chain `c`: the agent, the model of tier 1, and what was booked. */
const COST_OF_TIER_ONE = Prisma.sql`join project_version v on v.organization_id = c.organization_id
      and v.project_id = c.project_id and v.version = c.project_version
    join lateral (
      select model from session
      where organization_id = c.organization_id and chain_id = c.id and kind = 'tier'
      order by id limit 1) s on true
    join lateral (
      select sum(cost_micros)::float8 as micros from ledger_entry
      where organization_id = c.organization_id and chain_id = c.id) l on l.micros > 0`;

/** What the newest chains cost that ended in tier 1 since a time, by agent and model of that tier. */
export async function listTierOneCosts(db: TenantDb, projectId: string | null, since: Date) {
  const narrowed =
    projectId === null ? Prisma.empty : Prisma.sql`and project_id = ${projectId}::uuid`;
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select v.harness, s.model, count(*)::int as chains,
      percentile_cont(0.5) within group (order by l.micros)::float8 as "medianMicros"
    from (
      select organization_id, id, project_id, project_version from chain
      where highest_tier = 1 and outcome is not null and outcome not in ('skipped', 'stopped')
        and created_at > ${since}::timestamptz ${narrowed}
      order by id desc limit ${NEWEST_CHAINS}) c
    ${COST_OF_TIER_ONE}
    group by v.harness, s.model`,
  );
  return rowSchema.array().parse(rows);
}

/** The same of each project, by UUID. */
export async function listTierOneCostsByProject(
  db: TenantDb,
  projectIds: readonly string[],
  since: Date,
) {
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select c.project_id as "projectId", v.harness, s.model, count(*)::int as chains,
      percentile_cont(0.5) within group (order by l.micros)::float8 as "medianMicros"
    from unnest(${[...projectIds]}::uuid[]) as p(id)
    cross join lateral (
      select organization_id, id, project_id, project_version from chain
      where organization_id = app.organization_id() and project_id = p.id
        and highest_tier = 1 and outcome is not null and outcome not in ('skipped', 'stopped')
        and created_at > ${since}::timestamptz
      order by id desc limit ${NEWEST_CHAINS}) c
    ${COST_OF_TIER_ONE}
    group by 1, v.harness, s.model`,
  );
  return rowSchema.extend({ projectId: z.string() }).array().parse(rows);
}
