import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

const rowSchema = z.object({
  bucket: z.number(),
  tier: z.number(),
  standing: z.enum(['unconfirmed', 'confirmed', 'came_back']),
  fixes: z.number(),
});
export type FixCountRow = z.infer<typeof rowSchema>;

/** What a chain was about: affected at its end, or unhealthy at its first check. */
const servicesOf = (chain: Prisma.Sql) => Prisma.sql`(${chain}.services_affected || array(
  select s.name from service_health h
  join service s on s.organization_id = h.organization_id and s.id = h.service_id
  where h.organization_id = f.organization_id and h.chain_id = ${chain}.id and h.status_before <> 'healthy'))`;

/**
 * Chains that reported a fix, with what the first later look at the services said. The same
 * judgement as fixStanding of lib/chains/browse, over many chains at once.
 */
export async function countFixes(db: TenantDb, frame: PlotFrame): Promise<FixCountRow[]> {
  const sql = frameSql(frame);
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select ${sql.bucketOf(Prisma.sql`f.created_at`)} as bucket, f.highest_tier as tier, judged.standing,
      count(*)::int as fixes
    from chain f
    left join lateral (
      select id, outcome, services_affected from chain
      where organization_id = f.organization_id and project_id = f.project_id and id > f.id
        and outcome is not null and outcome not in ('skipped', 'stopped')
      order by id limit 1) n on true
    cross join lateral (
      select case
        when n.id is null then 'unconfirmed'
        when n.outcome = 'healthy' then 'confirmed'
        when ${servicesOf(Prisma.sql`f`)} && ${servicesOf(Prisma.sql`n`)} then 'came_back'
        when cardinality(${servicesOf(Prisma.sql`f`)}) > 0
          and cardinality(${servicesOf(Prisma.sql`n`)}) > 0 then 'confirmed'
        else 'unconfirmed' end as standing) judged
    where f.organization_id = ${sql.organization} ${sql.andProject(Prisma.sql`f.project_id`)}
      and f.id >= ${sql.fromId} and f.created_at >= ${sql.from} and f.created_at < ${sql.to}
      and f.outcome = 'fixed'
    group by 1, 2, 3`,
  );
  return rowSchema.array().parse(rows);
}
