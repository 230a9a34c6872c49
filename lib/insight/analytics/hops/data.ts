import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

const rowSchema = z.object({
  bucket: z.number(),
  mechanism: z.enum(['resume', 'handoff']),
  isFallback: z.boolean(),
  reason: z.string(),
  hops: z.number(),
});
export type HopRow = z.infer<typeof rowSchema>;

/** Sessions that followed another one, by how they started and why. */
export async function countHops(db: TenantDb, frame: PlotFrame): Promise<HopRow[]> {
  const sql = frameSql(frame);
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select ${sql.bucketOf(Prisma.sql`s.created_at`)} as bucket, s.mechanism, s.is_fallback as "isFallback",
      coalesce(d.reason, '') as reason, count(*)::int as hops
    from session s
    left join lateral (
      -- The decision that led to how it started in the end: a fallback has one for each try.
      select reason from decision
      where organization_id = s.organization_id and session_id = s.id and kind = 'continuation'
        and verdict = s.mechanism
      order by id desc limit 1) d on true
    where s.organization_id = ${sql.organization} ${sql.andProject(Prisma.sql`s.project_id`)}
      and s.parent_session_id is not null and s.kind = 'tier' and s.mechanism in ('resume', 'handoff')
      and s.id >= ${sql.fromId} and s.created_at >= ${sql.from} and s.created_at < ${sql.to}
    group by 1, 2, 3, 4`,
  );
  return rowSchema.array().parse(rows);
}
