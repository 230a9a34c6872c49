import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { chainOutcomeSchema } from '@/lib/insight/chains/view/schema';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

const rowSchema = z.object({
  bucket: z.number(),
  outcome: chainOutcomeSchema,
  startTier: z.number(),
  highestTier: z.number(),
  chains: z.number(),
});
export type ChainCountRow = z.infer<typeof rowSchema>;

/** Ended chains by when they were started: what outcomes and escalation rate are counted from. */
export async function countChains(db: TenantDb, frame: PlotFrame): Promise<ChainCountRow[]> {
  const sql = frameSql(frame);
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select ${sql.bucketOf(Prisma.sql`created_at`)} as bucket, outcome, start_tier as "startTier",
      highest_tier as "highestTier", count(*)::int as chains
    from chain
    where organization_id = ${sql.organization} ${sql.andProject(Prisma.sql`project_id`)}
      and id >= ${sql.fromId} and created_at >= ${sql.from} and created_at < ${sql.to}
      and outcome is not null
    group by 1, 2, 3, 4`,
  );
  return rowSchema.array().parse(rows);
}
