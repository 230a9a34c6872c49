import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

const rowSchema = z.object({
  bucket: z.number(),
  tier: z.number(),
  isOverhead: z.boolean(),
  micros: z.coerce.number(),
  estimateMicros: z.coerce.number(),
});
export type CostRow = z.infer<typeof rowSchema>;

/**
 * The ledger by booking time and tier. Overhead is what brought no tier forward: checks of what
 * stands after a loss, and attempts that ended without their report.
 */
export async function sumCosts(db: TenantDb, frame: PlotFrame): Promise<CostRow[]> {
  const sql = frameSql(frame);
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select ${sql.bucketOf(Prisma.sql`e.booked_at`)} as bucket, e.tier,
      (a.purpose = 'reconcile' or a.end_kind is distinct from 'completed') as "isOverhead",
      sum(e.cost_micros)::text as micros,
      coalesce(sum(e.cost_micros) filter (where e.is_estimate), 0)::text as "estimateMicros"
    from ledger_entry e
    join attempt a on a.organization_id = e.organization_id and a.id = e.attempt_id
    where e.organization_id = ${sql.organization} ${sql.andProject(Prisma.sql`e.project_id`)}
      and e.booked_at >= ${sql.from} and e.booked_at < ${sql.to}
    group by 1, 2, 3`,
  );
  return rowSchema.array().parse(rows);
}
