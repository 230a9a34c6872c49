import { sql } from 'kysely';
import { z } from 'zod';
import { anyOf, instant, query, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { ResultStatus } from './check-state';
import type { CheckPast } from './service-spans';

export interface WatchedCheck {
  id: string;
  /** CheckSpec in lib/protocol/spec.ts. */
  spec: unknown;
  /** By N of M. */
  status: ResultStatus;
  statusSince: Date | null;
  /** Its last result; null before the first. */
  last: { at: Date; status: ResultStatus; error: string; responseMs: number | null } | null;
}

/** Returns the checks of a service that run without an agent, in their order; none while that is off. */
export async function listWatchedChecks(db: TenantDb, serviceId: string): Promise<WatchedCheck[]> {
  const rows = await db.serviceCheck.findMany({
    where: { serviceId, removedAt: null },
    orderBy: { position: 'asc' },
  });
  return rows.map(({ id, spec, status, statusSince, lastAt, lastStatus, ...row }) => ({
    ...{ id, spec, statusSince, status: serviceStatusSchema.parse(status) },
    last: lastAt && {
      at: lastAt,
      status: serviceStatusSchema.parse(lastStatus),
      error: row.lastError,
      responseMs: row.lastResponseMs,
    },
  }));
}

/**
 * Returns what checks found by the hour, from the hour of `since` on, oldest first: how many results were timed,
 * and their sum and largest in milliseconds.
 */
export function listCheckHours(db: TenantDb, checkIds: readonly string[], since: Date) {
  return rowsOf(
    db,
    query
      .selectFrom('checkHour')
      .select(['checkId', 'hour', 'healthy', 'degraded', 'down', 'unknown', 'timed', 'maxMs'])
      .select(({ cast }) => cast<number>('totalMs', 'float8').as('totalMs'))
      .where('organizationId', '=', db.organizationId)
      .where('checkId', '=', anyOf(checkIds))
      .where('hour', '>=', sql<Date>`date_trunc('hour', ${instant(since)}, 'UTC')`)
      .orderBy('hour'),
  );
}
export type CheckHourRow = Awaited<ReturnType<typeof listCheckHours>>[number];

const problemSchema = z.object({
  checkId: z.string(),
  status: serviceStatusSchema,
  error: z.string(),
  responseMs: z.number().nullable(),
  from: z.date(),
  to: z.date(),
  /** How many results in a row had the same status and error. */
  results: z.number(),
});
export type ProblemRow = z.infer<typeof problemSchema>;

/**
 * Returns what went wrong with checks since a time, newest first: results in a row with the same status
 * and error are one.
 */
export async function listProblems(
  db: TenantDb,
  checkIds: readonly string[],
  { since, limit }: { since: Date; limit: number },
): Promise<ProblemRow[]> {
  const rows = await sqlRows(db)`with numbered as (
        select check_id, at, status, error, response_ms,
          row_number() over (partition by check_id order by at)
            - row_number() over (partition by check_id, status, error order by at) as island
        from check_result where organization_id = ${db.organizationId} and check_id = ${anyOf(checkIds)}
          and at >= ${since}
      )
      select check_id, status, error, max(response_ms) as response_ms,
        min(at) as "from", max(at) as "to", count(*)::int as results
      from numbered where status <> 'healthy' group by check_id, status, error, island
      order by max(at) desc limit ${limit}`;
  return problemSchema.array().parse(rows);
}

/** Of each check, so that one that changes with every result costs a page no more than that. */
const READ_CHANGES = 2_000;

const changeSchema = z.object({
  serviceId: z.string(),
  checkId: z.string(),
  spec: z.unknown(),
  everySeconds: z.number(),
  lastAt: z.date().nullable(),
  isRemoved: z.boolean(),
  at: z.date().nullable(),
  status: serviceStatusSchema.nullable(),
});

/**
 * Returns what the checks of services were since a time, by the UUIDs of the services; those without checks
 * now aren't in it. Of a check with too many changes, what was before the newest is left out, so unknown.
 */
export async function listCheckPasts(
  db: TenantDb,
  serviceIds: readonly string[],
  since: Date,
): Promise<Map<string, CheckPast[]>> {
  const rows = await sqlRows(
    db,
  )`select c.service_id, c.id as check_id, c.spec, c.every_seconds, c.last_at,
        c.removed_at is not null as is_removed, h.at, h.status
      from service_check c
      left join lateral (
        (select at, status from check_change where organization_id = c.organization_id and check_id = c.id
          and at > ${since}::timestamptz order by at desc limit ${READ_CHANGES})
        union all
        (select at, status from check_change where organization_id = c.organization_id and check_id = c.id
          and at <= ${since}::timestamptz order by at desc limit 1)
      ) h on true
      where c.organization_id = ${db.organizationId}::uuid and c.service_id = any(${[...serviceIds]}::uuid[])
        and (c.removed_at is null or c.removed_at > ${since}::timestamptz)
      order by c.id, h.at`;
  const checks = new Map<string, z.infer<typeof changeSchema>[]>();
  for (const row of changeSchema.array().parse(rows)) {
    checks.set(row.checkId, checks.get(row.checkId) ?? []);
    checks.get(row.checkId)?.push(row);
  }
  const pasts = new Map<string, CheckPast[]>();
  for (const own of checks.values()) {
    const [first] = own;
    if (!first) continue;
    const { serviceId, isRemoved, spec, everySeconds, lastAt } = first;
    const changes = own.flatMap(({ at, status }) => (at ? [{ at, status }] : []));
    const isCut = changes.length > READ_CHANGES;
    const past = {
      changes: isCut ? [{ at: since, status: 'unknown' as const }, ...changes.slice(1)] : changes,
      current: isRemoved ? null : { spec, everySeconds, lastAt },
    };
    pasts.set(serviceId, [...(pasts.get(serviceId) ?? []), past]);
  }
  for (const [serviceId, own] of pasts) {
    if (own.every(({ current }) => current === null)) pasts.delete(serviceId);
  }
  return pasts;
}

const latencySchema = z.object({
  hours: z.number(),
  meanMs: z.number().nullable(),
  maxMs: z.number().nullable(),
});
/** Of the results that were timed, in milliseconds; null where none was. */
export type LatencySums = z.infer<typeof latencySchema>;

/** Returns how long the checks of a service took in the last so many hours, by whole hours. */
export async function listLatencySums(
  db: TenantDb,
  serviceId: string,
  hours: readonly number[],
  now: Date,
): Promise<LatencySums[]> {
  const rows = await sqlRows(
    db,
  )`select span.hours, sum(h.total_ms)::float8 / nullif(sum(h.timed), 0)::float8 as mean_ms,
        max(h.max_ms) as max_ms
      from unnest(${[...hours]}::int[]) as span(hours)
      cross join service_check c
      join check_hour h on h.organization_id = c.organization_id and h.check_id = c.id
        and h.hour > ${now}::timestamptz - interval '1 hour' * span.hours and h.hour <= ${now}::timestamptz
      where c.organization_id = ${db.organizationId}::uuid and c.service_id = ${serviceId}::uuid
        and c.removed_at is null
      group by 1`;
  return latencySchema.array().parse(rows);
}

/** Returns the longest time that a check of each service took last, in milliseconds, by the services' UUIDs. */
export async function listLastLatencies(
  db: TenantDb,
  serviceIds: readonly string[],
): Promise<Map<string, number | null>> {
  const rows = await db.serviceCheck.groupBy({
    by: ['serviceId'],
    where: {
      serviceId: { in: [...serviceIds] },
      removedAt: null,
      lastStatus: { in: ['healthy', 'degraded'] },
    },
    _max: { lastResponseMs: true },
  });
  return new Map(rows.map(({ serviceId, _max }) => [serviceId, _max.lastResponseMs]));
}
