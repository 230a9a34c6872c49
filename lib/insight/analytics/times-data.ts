import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';
import { frameSql } from './data';
import type { PlotFrame } from './frame';

const outageSchema = z.object({
  bucket: z.number(),
  seconds: z.coerce.number(),
});
export type OutageRow = z.infer<typeof outageSchema>;

/** How far before the range an outage that ends in it may have begun. */
const LOOK_BACK_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Outages that ended in the frame: from the first unhealthy result of a service to its first
 * healthy one. The first word of a chain counts at its start, the last one when it was measured.
 */
export async function listOutages(db: TenantDb, frame: PlotFrame): Promise<OutageRow[]> {
  const sql = frameSql(frame);
  const first = frame.buckets[0]?.startAt ?? frame.now;
  const sinceId = idSince(new Date(first.getTime() - LOOK_BACK_DAYS * DAY_MS));
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select ${sql.bucketOf(Prisma.sql`ended.at`)} as bucket,
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
      select h.at where h.status = 'healthy'
      union all
      select case when n.status_before = 'healthy' then coalesce(nc.started_at, nc.created_at) else n.at end
      from (
        select organization_id, chain_id, status_before, at from service_health
        where h.status <> 'healthy' and organization_id = h.organization_id and service_id = h.service_id
          and chain_id > h.chain_id and (status_before = 'healthy' or status = 'healthy')
        order by chain_id limit 1) n
      join chain nc on nc.organization_id = n.organization_id and nc.id = n.chain_id
      limit 1) ended
    where s.organization_id = ${sql.organization} ${sql.andProject(Prisma.sql`s.project_id`)}
      and (h.status_before = 'healthy' or coalesce(previous.status, 'healthy') = 'healthy')
      and ended.at >= ${sql.from} and ended.at < ${sql.to}`,
  );
  return outageSchema.array().parse(rows);
}

/** Services that are unhealthy now, longest first. */
export function listOpenOutages(db: TenantDb, { projectId }: PlotFrame) {
  return db.service.findMany({
    where: {
      removedAt: null,
      status: { in: ['down', 'degraded'] },
      ...(projectId ? { projectId } : {}),
    },
    orderBy: { statusSince: { sort: 'asc', nulls: 'last' } },
    take: 50,
    select: {
      name: true,
      status: true,
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
