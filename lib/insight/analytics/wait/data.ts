import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

const rowSchema = z.object({
  /** Null: the whole range. */
  bucket: z.number().nullable(),
  pool: z.string(),
  p50: z.number(),
  p95: z.number(),
  count: z.number(),
});
export type WaitRow = z.infer<typeof rowSchema>;

/**
 * Seconds from when a process was due to its start, by pool: the slot of its chain for the first
 * of a scheduled chain, else when it was queued or could be claimed.
 */
export async function listWaits(db: TenantDb, frame: PlotFrame): Promise<WaitRow[]> {
  const sql = frameSql(frame);
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    with started as (
      select ${sql.bucketOf(Prisma.sql`a.started_at`)} as bucket, p.name as pool,
        greatest(0, extract(epoch from a.started_at - case
          when s.parent_session_id is null and a.number = 1 and c.slot_at is not null then c.slot_at
          else greatest(a.queued_at, a.not_before) end))::float8 as seconds
      from attempt a
      join runner_pool p on p.organization_id = a.organization_id and p.id = a.pool_id
      join session s on s.organization_id = a.organization_id and s.id = a.session_id
      join chain c on c.organization_id = s.organization_id and c.id = s.chain_id
      where a.organization_id = ${sql.organization} ${sql.andProject(Prisma.sql`a.project_id`)}
        and a.started_at >= ${sql.from} and a.started_at < ${sql.to})
    select bucket, pool, percentile_cont(0.5) within group (order by seconds) as p50,
      percentile_cont(0.95) within group (order by seconds) as p95, count(*)::int as count
    from started group by grouping sets ((bucket, pool), (pool))`,
  );
  return rowSchema.array().parse(rows);
}
