import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';
import { worstOfHealth } from '@/lib/projects/project-rows';
import { checkFactsSchema } from '@/lib/protocol/checks/fact-schema';
import { checkOutcomeStatusSchema } from '@/lib/protocol/spec';
import { frameSql } from '../analytics/data';
import type { PlotFrame } from '../analytics/frame';

const checkSchema = z.object({
  type: z.string(),
  target: z.string(),
  status: checkOutcomeStatusSchema,
  error: z.string(),
  responseTimeMs: z.number().nullable(),
  /** Null from runners that report none. */
  facts: checkFactsSchema.nullable().catch(null),
  at: z.coerce.date(),
  chainNumber: z.number(),
  sessionNumber: z.number(),
});
export type CheckResult = z.infer<typeof checkSchema>;

/** How many of the newest chains are searched for one that could perform none of a service's checks. */
const SEARCHED_CHAINS = 20;

/** The last result of each check in the newest chain that looked at the service. */
export async function listLastResults(
  db: TenantDb,
  service: { organizationId: string; projectId: string; id: string; name: string; status: string },
): Promise<CheckResult[]> {
  const rows = await sqlRows(db)`
    select distinct on (e.payload->>'type', e.payload->>'target')
      e.payload->>'type' as type, e.payload->>'target' as target, e.payload->>'status' as status,
      e.payload->>'error' as error, (e.payload->>'responseTimeMs')::int as "responseTimeMs", e.payload->'facts' as facts, e.at,
      c.number as "chainNumber", s.number as "sessionNumber"
    from (${service.status === 'unknown' ? lastUnproven(service) : lastProven(service)}) newest
    join chain c on c.organization_id = ${service.organizationId}::uuid and c.id = newest.chain_id
    join session s on s.organization_id = c.organization_id and s.chain_id = c.id
    join session_event e on e.organization_id = s.organization_id and e.session_id = s.id
    where e.kind = 'check_result' and e.payload->>'service' = ${service.name}
    order by 1, 2, e.at desc`;
  return checkSchema.array().parse(rows);
}

type OfService = Pick<
  Parameters<typeof listLastResults>[1],
  'organizationId' | 'projectId' | 'id' | 'name'
>;

function lastProven({ organizationId, id }: OfService): RawBuilder<unknown> {
  return sql`
    select chain_id from service_health
    where organization_id = ${organizationId}::uuid and service_id = ${id}::uuid
    order by chain_id desc limit 1`;
}

/** A chain that has proven nothing about the service has no row of its health. */
function lastUnproven({ organizationId, projectId, name }: OfService): RawBuilder<unknown> {
  return sql`
    select recent.id as chain_id from (
      select id from chain where organization_id = ${organizationId}::uuid and project_id = ${projectId}::uuid
      order by id desc limit ${SEARCHED_CHAINS}) recent
    where exists (
      select from session s
      join session_event e on e.organization_id = s.organization_id and e.session_id = s.id
      where s.organization_id = ${organizationId}::uuid and s.chain_id = recent.id
        and e.kind = 'check_result' and e.payload->>'service' = ${name})
    order by recent.id desc limit 1`;
}

/** Of the current configuration. */
export function findServiceRow(db: TenantDb, projectId: string, name: string) {
  return db.service.findFirst({ where: { projectId, name, removedAt: null } });
}

/** The worst result of a row of service_health. */
const WORST = worstOfHealth(sql`h`);

/** A row of service_health whose service failed in the chain and was healthy at its end. */
const RECOVERED = sql`h.status = 'healthy' and ${WORST} <> 'healthy'`;

const countsShape = {
  healthy: z.number(),
  degraded: z.number(),
  down: z.number(),
  /** Of those that weren't healthy throughout: healthy at the end, after a tier that may repair. */
  repaired: z.number(),
};

const COUNTS = sql`
  (count(*) filter (where ${WORST} = 'healthy'))::int as healthy,
  (count(*) filter (where ${WORST} = 'degraded'))::int as degraded,
  (count(*) filter (where ${WORST} = 'down'))::int as down,
  (count(*) filter (where ${RECOVERED} and c.highest_tier >= 2))::int as repaired`;

const bucketSchema = z.object({ bucket: z.number(), ...countsShape });
export type HealthBucketRow = z.infer<typeof bucketSchema>;

/** How many chains found the service in which state, by the worst result of each. */
export async function countHealth(
  db: TenantDb,
  frame: PlotFrame,
  serviceId: string,
): Promise<HealthBucketRow[]> {
  const within = frameSql(frame);
  const rows = await sqlRows(db)`
    select ${within.bucketOf(sql`h.at`)} as bucket, ${COUNTS}
    from service_health h
    join chain c on c.organization_id = h.organization_id and c.id = h.chain_id
    where h.organization_id = ${within.organization} and h.service_id = ${serviceId}::uuid
      and h.chain_id >= ${within.fromId} and h.at >= ${within.from} and h.at < ${within.to}
    group by 1`;
  return bucketSchema.array().parse(rows);
}

const uptimeSchema = z.object({
  hours: z.number(),
  ...countsShape,
  /** Milliseconds; null when no check that answered was timed. */
  p50: z.number().nullable(),
  p95: z.number().nullable(),
});
export type UptimeRow = z.infer<typeof uptimeSchema>;

const HOUR_MS = 3_600_000;

/** The same counts over the last `hours` of each span, with the latency of the checks that answered. */
export async function listUptime(
  db: TenantDb,
  service: { organizationId: string; id: string },
  hours: readonly number[],
  now: Date,
): Promise<UptimeRow[]> {
  const oldest = new Date(now.getTime() - Math.max(...hours) * HOUR_MS);
  const latency = (share: number) => sql`
    percentile_cont(${share}::float8) within group (order by h.response_time_ms) filter (where h.status <> 'down')`;
  const rows = await sqlRows(db)`
    select span.hours, ${COUNTS}, ${latency(0.5)} as p50, ${latency(0.95)} as p95
    from unnest(${[...hours]}::int[]) as span(hours)
    join service_health h on h.at > ${now}::timestamptz - interval '1 hour' * span.hours
    join chain c on c.organization_id = h.organization_id and c.id = h.chain_id
    where h.organization_id = ${service.organizationId}::uuid and h.service_id = ${service.id}::uuid
      and h.chain_id >= ${idSince(oldest)}::uuid and h.at <= ${now}::timestamptz
    group by 1`;
  return uptimeSchema.array().parse(rows);
}

/** How many chains the line of a service's latency has. */
const LATENCY_CHAINS = 60;

/** What the newest chains measured, newest first; a failed check has no latency. */
export function listLatencies(db: TenantDb, serviceId: string) {
  return db.serviceHealth.findMany({
    where: { serviceId },
    orderBy: { chainId: 'desc' },
    take: LATENCY_CHAINS,
    select: { at: true, status: true, responseTimeMs: true, chain: { select: { number: true } } },
  });
}
export type LatencyRow = Awaited<ReturnType<typeof listLatencies>>[number];

/** When the service's first check was recorded; null before it. */
export async function findFirstCheckAt(db: TenantDb, serviceId: string): Promise<Date | null> {
  const first = await db.serviceHealth.findFirst({
    where: { serviceId },
    orderBy: { chainId: 'asc' },
    select: { at: true },
  });
  return first?.at ?? null;
}
