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
    join project_version v on v.organization_id = c.organization_id
      and v.project_id = c.project_id and v.version = c.project_version
    join lateral (
      select model from session
      where organization_id = c.organization_id and chain_id = c.id and kind = 'tier'
      order by id limit 1) s on true
    join lateral (
      select sum(cost_micros)::float8 as micros from ledger_entry
      where organization_id = c.organization_id and chain_id = c.id) l on l.micros > 0
    group by v.harness, s.model`,
  );
  return rowSchema.array().parse(rows);
}
