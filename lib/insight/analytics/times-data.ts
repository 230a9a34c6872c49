import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { endedOutages } from '../chains/recovery-data';
import { frameSql } from './data';
import type { PlotFrame } from './frame';

const outageSchema = z.object({
  bucket: z.number(),
  seconds: z.coerce.number(),
});
export type OutageRow = z.infer<typeof outageSchema>;

/** Outages that ended in the frame. */
export async function listOutages(db: TenantDb, frame: PlotFrame): Promise<OutageRow[]> {
  const { organizationId, projectId, buckets, now } = frame;
  const from = buckets[0]?.startAt ?? now;
  const to = buckets.at(-1)?.endAt ?? now;
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`select ${frameSql(frame).bucketOf(Prisma.sql`at`)} as bucket, seconds
      from (${endedOutages({ organizationId, projectId, from, to })}) as outage`,
  );
  return outageSchema.array().parse(rows);
}

/** Services that are unhealthy now, the longest outage first. */
export function listOpenOutages(db: TenantDb, { projectId }: PlotFrame) {
  return db.service.findMany({
    where: {
      removedAt: null,
      status: { in: ['down', 'degraded'] },
      ...(projectId ? { projectId } : {}),
    },
    orderBy: { failingSince: { sort: 'asc', nulls: 'last' } },
    take: 50,
    select: {
      name: true,
      status: true,
      failingSince: true,
      statusSince: true,
      project: { select: { slug: true, name: true } },
    },
  });
}
export type OpenOutageRow = Awaited<ReturnType<typeof listOpenOutages>>[number];

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
    where a.organization_id = ${sql.organization} ${sql.andProject(Prisma.sql`a.project_id`)}
      and a.runner_id is not null
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

const waitRowSchema = z.object({
  /** Null: the whole range. */
  bucket: z.number().nullable(),
  pool: z.string(),
  p50: z.number(),
  p95: z.number(),
  count: z.number(),
});
export type WaitRow = z.infer<typeof waitRowSchema>;

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
  return waitRowSchema.array().parse(rows);
}
