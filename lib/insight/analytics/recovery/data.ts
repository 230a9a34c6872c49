import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids/id-since';
import { frameSql } from '../data';
import type { PlotFrame } from '../frame';

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
      -- Mended within the chain that found it, or by the first later word that is healthy.
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
