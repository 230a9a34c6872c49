import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { deletePast, inTurns, listDue } from '@/lib/platform/db/due';
import { changedBySystem, given, query, rowsOf, sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { CheckChange } from './check-changes';
import {
  type CheckState,
  OVERDUE_INTERVALS,
  OVERDUE_SLACK_SECONDS,
  overdueAt,
  type ResultStatus,
} from './check-state';
import { isPingCheck, type PlannedServiceCheck } from './planned-checks';
import type { LastRun } from './runs';

const reason = 'checks of every organization';

/** How many projects a sweep handles. */
export const AT_ONCE = 500;

/** Unnumbered runs are ordered by the runner's clock, which can't be compared across epochs. */
export async function forgetRunTimes(db: TenantDb, projectId: string): Promise<void> {
  await db.serviceCheck.updateMany({
    where: { projectId, lastRunAt: { not: null } },
    data: { lastRunAt: null },
  });
}

/**
 * Brings the checks of a project in line with its configuration. A removed check keeps its results; if it
 * comes back, nothing is known of it until it has run.
 */
export async function writeChecks(
  db: TenantDb,
  projectId: string,
  planned: readonly PlannedServiceCheck[],
  now: Date,
): Promise<void> {
  const rows = planned.map((check) => ({ id: uuidv7(), ...check }));
  await sqlChanges(db)`insert into service_check as c
        (id, organization_id, project_id, service_id, position, key, spec, every_seconds)
      select t.id, ${db.organizationId}::uuid, ${projectId}::uuid, s.id, t.position, t.key, t.spec, t."everySeconds"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(
        id uuid, service text, position int, key text, spec jsonb, "everySeconds" int)
      join service s on s.organization_id = ${db.organizationId}::uuid and s.project_id = ${projectId}::uuid
        and s.name = t.service and s.removed_at is null
      on conflict (organization_id, service_id, key) do update set position = excluded.position,
        spec = excluded.spec, every_seconds = excluded.every_seconds, removed_at = null,
        overdue_at = case when c.removed_at is null and c.status <> 'unknown' and excluded.spec->>'type' <> 'heartbeat'
          then c.last_at + ${overdueAfter(sql`excluded.every_seconds`)} end,
        ${RESET_IF_IT_COMES_BACK}`;
  const kept = rows.map(({ service, key }) => ({ service, key }));
  await sqlChanges(
    db,
  )`update service_check c set removed_at = ${now}::timestamptz, overdue_at = null
      where c.organization_id = ${db.organizationId}::uuid and c.project_id = ${projectId}::uuid
        and c.removed_at is null and not exists (
          select from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as t(service text, key text)
          join service s on s.organization_id = c.organization_id and s.id = c.service_id and s.removed_at is null
          where s.name = t.service and t.key = c.key)`;
  await markComingAndGoing(db, projectId, now);
}

/**
 * Nothing is known of a check that is new or comes back, and a removed one isn't counted. A heartbeat isn't
 * either before its first ping. Time without results before the removal is unknown, as in check-changes.ts.
 */
async function markComingAndGoing(db: TenantDb, projectId: string, now: Date): Promise<void> {
  await sqlChanges(db)`insert into check_change (organization_id, check_id, at, status)
      select organization_id, id, last_at + interval '1 second' * (every_seconds * ${OVERDUE_INTERVALS}::int), 'unknown'
      from service_check
      where organization_id = ${db.organizationId}::uuid and project_id = ${projectId}::uuid
        and removed_at = ${now}::timestamptz and status <> 'unknown' and spec->>'type' <> 'heartbeat'
        and last_at + ${overdueAfter(sql`every_seconds`)} <= ${now}::timestamptz
      on conflict (organization_id, check_id, at) do nothing`;
  await sqlChanges(db)`insert into check_change (organization_id, check_id, at, status)
      select c.organization_id, c.id, ${now}::timestamptz, case when c.removed_at is null then 'unknown' end
      from service_check c
      left join lateral (
        select status from check_change h where h.organization_id = c.organization_id and h.check_id = c.id
        order by h.at desc limit 1
      ) last on true
      where c.organization_id = ${db.organizationId}::uuid and c.project_id = ${projectId}::uuid
        and (c.removed_at is null) = (last.status is null)
        and (c.removed_at is not null or c.spec->>'type' <> 'heartbeat')
      on conflict (organization_id, check_id, at) do update set status = excluded.status`;
}

const RESET_IF_IT_COMES_BACK = sql.raw(
  Object.entries({
    status: "'unknown'",
    status_since: 'null',
    failing_since: 'null',
    recent: "'[]'",
    last_run_process: 'null',
    last_run_number: 'null',
    last_run_at: 'null',
    last_at: 'null',
    last_status: 'null',
    last_error: "''",
    last_response_ms: 'null',
  })
    .map(([column, value]) => {
      return `${column} = case when c.removed_at is null then c.${column} else ${value} end`;
    })
    .join(', '),
);

/** What `overdueAfterMs` says of an interval in a column, as SQL. */
export function overdueAfter(everySeconds: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`interval '1 second' * (${everySeconds} * ${OVERDUE_INTERVALS}::int + ${OVERDUE_SLACK_SECONDS}::int)`;
}

const recentSchema = z.array(z.object({ status: serviceStatusSchema, at: z.coerce.date() }));

export interface CheckRow extends CheckState, LastRun {
  id: string;
  serviceId: string;
  /** CheckSpec in lib/protocol/spec.ts. */
  spec: unknown;
  everySeconds: number;
  lastAt: Date | null;
  lastStatus: ResultStatus | null;
  lastError: string;
  lastResponseMs: number | null;
}

/** Locks checks of a project and returns them. */
export async function lockChecks(db: TenantDb, projectId: string): Promise<CheckRow[]> {
  const locked = await rowsOf(
    db,
    query
      .selectFrom('serviceCheck')
      .selectAll()
      .where('organizationId', '=', db.organizationId)
      .where('projectId', '=', projectId)
      .where('removedAt', 'is', null)
      .orderBy('id')
      .forUpdate(),
  );
  const rows = locked.toSorted(
    (a, b) => a.serviceId.localeCompare(b.serviceId) || a.position - b.position,
  );
  return rows.map((row) => ({
    ...row,
    status: serviceStatusSchema.parse(row.status),
    lastStatus: serviceStatusSchema.nullable().parse(row.lastStatus),
    recent: recentSchema.parse(row.recent),
    lastRunNumber: row.lastRunNumber === null ? null : Number(row.lastRunNumber),
  }));
}

/** Stores the states of checks. */
export async function saveChecks(db: TenantDb, checks: readonly CheckRow[]): Promise<void> {
  if (checks.length === 0) return;
  const rows = checks.map((check) => ({
    ...check,
    overdueAt: isPingCheck(check) ? null : overdueAt(check),
  }));
  // A time that is there stays until a sweep moves it: changing an index with every result costs more.
  await sqlChanges(db)`update service_check c set status = t.status, status_since = t.status_since,
        failing_since = t.failing_since, recent = t.recent, last_at = t.last_at, last_run_process = t.last_run_process,
        last_run_number = t.last_run_number, last_run_at = t.last_run_at, last_status = t.last_status,
        last_error = t.last_error, last_response_ms = t.last_response_ms,
        overdue_at = case when t.status <> 'unknown' then coalesce(c.overdue_at, t.overdue_at) end
      from ${given('serviceCheck', rows)} t
      where c.organization_id = ${db.organizationId} and c.id = t.id`;
}

export interface ResultRow {
  checkId: string;
  at: Date;
  status: ResultStatus;
  error: string;
  responseMs: number | null;
}

/** Stores results, and counts them in their hours. */
export async function insertResults(
  db: TenantDb,
  runnerId: string | null,
  results: readonly ResultRow[],
): Promise<void> {
  if (results.length === 0) return;
  await sqlChanges(db)`with stored as (
        insert into check_result (organization_id, check_id, at, status, error, response_ms, runner_id)
        select ${db.organizationId}::uuid, check_id, at, status, error, response_ms, ${runnerId}::uuid
        from ${given('checkResult', results)} t
        on conflict do nothing
        returning check_id, at, status, response_ms
      )
      insert into check_hour as h
        (organization_id, check_id, hour, healthy, degraded, down, unknown, timed, total_ms, max_ms)
      select ${db.organizationId}::uuid, check_id, date_trunc('hour', at, 'UTC'),
        count(*) filter (where status = 'healthy'), count(*) filter (where status = 'degraded'),
        count(*) filter (where status = 'down'), count(*) filter (where status = 'unknown'),
        count(response_ms), coalesce(sum(response_ms), 0), max(response_ms)
      from stored group by 2, 3
      on conflict (organization_id, check_id, hour) do update set healthy = h.healthy + excluded.healthy,
        degraded = h.degraded + excluded.degraded, down = h.down + excluded.down,
        unknown = h.unknown + excluded.unknown, timed = h.timed + excluded.timed,
        total_ms = h.total_ms + excluded.total_ms, max_ms = greatest(h.max_ms, excluded.max_ms)`;
}

/**
 * Stores from when on checks are in another state. What was stored of a check for the time since is
 * replaced: results that a runner had kept say better what it was.
 */
export async function insertChanges(
  db: TenantDb,
  changes: ReadonlyMap<string, readonly CheckChange[]>,
): Promise<void> {
  const rows = [...changes].flatMap(([checkId, all]) =>
    all.map(({ at, status }) => ({ checkId, at, status })),
  );
  if (rows.length === 0) return;
  const since = given('checkChange', rows);
  await sqlChanges(
    db,
  )`delete from check_change h using (select check_id, min(at) as at from ${since} t group by 1) first
      where h.organization_id = ${db.organizationId} and h.check_id = first.check_id and h.at >= first.at`;
  await sqlChanges(db)`insert into check_change (organization_id, check_id, at, status)
      select ${db.organizationId}::uuid, check_id, at, status from ${since} t`;
}

/**
 * Moves the times at which checks have to be looked at, of those that have had results since. What is
 * locked is left for the next sweep.
 */
export function postponeOverdue(now: Date): Promise<number> {
  return changedBySystem(
    reason,
    query
      .with('due', (cte) =>
        cte
          .selectFrom('serviceCheck as c')
          .select(['c.organizationId', 'c.id', MISSING_AT.as('next')])
          .where('c.overdueAt', '<=', now)
          .where(MISSING_AT, '>', now)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .updateTable('serviceCheck as s')
      .from('due')
      .set(({ ref }) => ({ overdueAt: ref('due.next') }))
      .whereRef('s.organizationId', '=', 'due.organizationId')
      .whereRef('s.id', '=', 'due.id'),
  );
}

/** When the next result of a check `c` is missing. */
const MISSING_AT = sql<Date>`c.last_at + ${overdueAfter(sql`c.every_seconds`)}`;

/** Returns projects with checks whose result is missing. */
export const listOverdueProjects = inTurns(AT_ONCE, (without, now: Date) =>
  listDue(
    reason,
    query
      .selectFrom('serviceCheck as c')
      .select(({ fn }) => [
        ...(['c.projectId as id', 'c.organizationId'] as const),
        fn.min('c.overdueAt').as('dueAt'),
      ])
      .where('c.overdueAt', '<=', now)
      .where(MISSING_AT, '<=', now)
      .groupBy(['c.projectId', 'c.organizationId']),
    { limit: AT_ONCE, without },
  ),
);

/** Deletes up to `limit` results from before that time. Returns how many. */
export function deletePastResults(before: Date, limit: number): Promise<number> {
  return deletePast(reason, 'checkResult', (row) => row('at', '<', before), limit);
}

/** Deletes up to `limit` hours from before that time. Returns how many. */
export function deletePastHours(before: Date, limit: number): Promise<number> {
  return deletePast(reason, 'checkHour', (row) => row('hour', '<', before), limit);
}

/** Deletes up to `limit` changes from before that time, but no check's last one before it. Returns how many. */
export function deletePastChanges(before: Date, limit: number): Promise<number> {
  return deletePast(
    reason,
    'checkChange',
    ({ and, eb, exists, selectFrom }) =>
      and([
        eb('checkChange.at', '<', before),
        exists(
          selectFrom('checkChange as next')
            .whereRef('next.organizationId', '=', 'checkChange.organizationId')
            .whereRef('next.checkId', '=', 'checkChange.checkId')
            .whereRef('next.at', '>', 'checkChange.at')
            .where('next.at', '<', before),
        ),
      ]),
    limit,
  );
}
