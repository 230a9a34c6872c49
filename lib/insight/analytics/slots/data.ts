import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

const rowSchema = z.object({
  bucket: z.number(),
  runnerId: z.string(),
  seconds: z.coerce.number(),
});
export type SlotSecondsRow = z.infer<typeof rowSchema>;

/** No process runs longer than its limit of 2 h, and a lost one is ended soon after. */
const LONGEST_HOURS = 6;

/** Seconds of slots that each runner's processes took in each bucket, cut at its edges. */
export async function sumSlotSeconds(db: TenantDb, frame: PlotFrame): Promise<SlotSecondsRow[]> {
  const sql = frameSql(frame);
  const until = Prisma.sql`least(coalesce(a.ended_at, ${frame.now.toISOString()}::timestamptz), ${sql.to})`;
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select i - 1 as bucket, a.runner_id as "runnerId",
      sum(extract(epoch from least(${until}, (${sql.ends})[i]) - greatest(a.started_at, (${sql.starts})[i])))::float8 as seconds
    from attempt a
    cross join lateral generate_series(
      greatest(1, width_bucket(a.started_at, ${sql.starts})), width_bucket(${until}, ${sql.starts})) as i
    where a.organization_id = ${sql.organization} and a.runner_id is not null
      and a.started_at >= ${sql.from} - interval '1 hour' * ${LONGEST_HOURS} and a.started_at < ${sql.to}
      and ${until} > ${sql.from}
    group by 1, 2`,
  );
  return rowSchema.array().parse(rows);
}

/** Runners of the organization that were there in the frame. */
export function listRunnersOf(db: TenantDb, { buckets }: PlotFrame) {
  const from = buckets[0]?.startAt ?? new Date(0);
  return db.runner.findMany({
    where: {
      lastSeenAt: { gte: from },
      OR: [{ revokedAt: null }, { revokedAt: { gte: from } }],
    },
    orderBy: { name: 'asc' },
    take: 200,
    select: {
      id: true,
      name: true,
      slots: true,
      createdAt: true,
      lastSeenAt: true,
      revokedAt: true,
    },
  });
}
export type RunnerSlotsRow = Awaited<ReturnType<typeof listRunnersOf>>[number];
