import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/platform/db/global-db';
import { executeRaw, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { Block } from './block';
import type { CheckState, ResultStatus } from './check-state';
import { OVERDUE_INTERVALS, OVERDUE_SLACK_SECONDS, overdueAt } from './overdue';
import { isHeartbeat, type PlannedServiceCheck } from './planned-checks';
import type { LastRun } from './runs';

const reason = 'checks of every organization';

/** Part of a sweep's rows: at most `limit` of those with an id above `after`, in the order of their ids. */
export interface Turn {
  after: string;
  limit: number;
}

/** Returns projects whose checks aren't those of their current configuration. */
export function listOutdatedCheckers({
  after,
  limit,
}: Turn): Promise<{ id: string; organizationId: string }[]> {
  return systemDb(reason).$queryRaw(
    Prisma.sql`select id, organization_id as "organizationId" from project
      where checks_version is distinct from current_version and id > ${after}::uuid
      order by id limit ${limit}`,
  );
}

/**
 * Locks the checker of a project, and returns it; null before its first synchronization. The project's
 * row is locked first, so that its deletion and a change of its slug wait: they lock it, then what
 * belongs to it.
 */
export async function lockChecker(db: TenantDb, organizationId: OrganizationId, projectId: string) {
  await queryRaw(
    db,
    Prisma.sql`with held as materialized (
        select id from project
        where organization_id = ${organizationId}::uuid and id = ${projectId}::uuid for key share
      )
      select 1 from held join checker c on c.organization_id = ${organizationId}::uuid and c.project_id = held.id
      for update of c`,
  );
  return db.checker.findFirst({ where: { projectId } });
}

/** Stores from which version the checks of a project are. Earlier results are refused from now on. */
export async function saveChecker(
  db: TenantDb,
  organizationId: OrganizationId,
  checker: {
    projectId: string;
    version: number;
    isOn: boolean;
    /** Whether a runner has to run any of them; heartbeats are judged without one. */
    needsRunner: boolean;
    pool: string;
    runnerId: string | null;
  },
): Promise<void> {
  const { projectId, ...columns } = checker;
  await db.checker.upsert({
    where: { organizationId_projectId: { organizationId, projectId } },
    create: { organizationId, projectId, ...columns },
    update: { ...columns, epoch: { increment: 1 } },
  });
  await forgetRunTimes(db, projectId);
}

/** Unnumbered runs are ordered by the runner's clock, which can't be compared across epochs. */
async function forgetRunTimes(db: TenantDb, projectId: string): Promise<void> {
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
  organizationId: OrganizationId,
  projectId: string,
  planned: readonly PlannedServiceCheck[],
  now: Date,
): Promise<void> {
  const rows = planned.map((check) => ({ id: uuidv7(), ...check }));
  await executeRaw(
    db,
    Prisma.sql`insert into service_check as c
        (id, organization_id, project_id, service_id, position, key, spec, every_seconds)
      select t.id, ${organizationId}::uuid, ${projectId}::uuid, s.id, t.position, t.key, t.spec, t."everySeconds"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(
        id uuid, service text, position int, key text, spec jsonb, "everySeconds" int)
      join service s on s.organization_id = ${organizationId}::uuid and s.project_id = ${projectId}::uuid
        and s.name = t.service and s.removed_at is null
      on conflict (organization_id, service_id, key) do update set position = excluded.position,
        spec = excluded.spec, every_seconds = excluded.every_seconds, removed_at = null,
        overdue_at = case when c.removed_at is null and c.status <> 'unknown' and excluded.spec->>'type' <> 'heartbeat'
          then c.last_at + ${overdueAfter(Prisma.sql`excluded.every_seconds`)} end,
        ${RESET_IF_IT_COMES_BACK}`,
  );
  const kept = rows.map(({ service, key }) => ({ service, key }));
  await executeRaw(
    db,
    Prisma.sql`update service_check c set removed_at = ${now}::timestamptz, overdue_at = null
      where c.organization_id = ${organizationId}::uuid and c.project_id = ${projectId}::uuid
        and c.removed_at is null and not exists (
          select from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as t(service text, key text)
          join service s on s.organization_id = c.organization_id and s.id = c.service_id and s.removed_at is null
          where s.name = t.service and t.key = c.key)`,
  );
}

const RESET_IF_IT_COMES_BACK = Prisma.raw(
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

/** What of overdue.ts an interval in a column stands for, as SQL. */
function overdueAfter(everySeconds: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`interval '1 second' * (${everySeconds} * ${OVERDUE_INTERVALS}::int + ${OVERDUE_SLACK_SECONDS}::int)`;
}

const candidateSchema = z.object({
  organizationId: z.uuid(),
  /** Of the project. */
  id: z.uuid(),
  current: z.uuid().nullable(),
  /** Whether the current one is still of the pool, and only can't be reached or takes no work. */
  mayReturn: z.boolean(),
  able: z.array(
    z.object({ id: z.uuid(), takesWork: z.boolean(), projects: z.coerce.number().int() }),
  ),
});

/** Runners that are online and can run checks, as a CTE's query. */
function ableSql(seenAfter: Date): Prisma.Sql {
  return Prisma.sql`select r.organization_id, r.pool_id, r.id, r.draining_at is null and r.paused_at is null as takes_work
    from runner r
    where r.revoked_at is null and r.last_seen_at > ${seenAfter}::timestamptz and (r.posture->>'canRunChecks')::boolean`;
}

/**
 * Returns the projects with checks that another runner should run, or none, each with the runners that
 * could run them. While there is no other runner, a project keeps one that is only offline.
 *
 * It starts from the runners that aren't able or take no work, so that it costs little where all are well:
 * `offset 0` keeps PostgreSQL from reading all checkers instead.
 */
export async function listUnassignedCheckers(seenAfter: Date, { after, limit }: Turn) {
  const rows = await systemDb(reason).$queryRaw<unknown[]>(
    Prisma.sql`with able as materialized (${ableSql(seenAfter)}),
      counted as materialized (
        select a.pool_id, a.id, a.takes_work, coalesce(n.projects, 0) as projects from able a
        left join (select runner_id, count(*)::int as projects from checker where is_on group by runner_id) n
          on n.runner_id = a.id
      ), without as (
        select organization_id, project_id, runner_id, pool from checker where is_on and needs_runner and runner_id is null
        union all
        select c.organization_id, c.project_id, c.runner_id, c.pool from runner r
        cross join lateral (select * from checker where runner_id = r.id and is_on and needs_runner offset 0) c
        where not exists (select from able a where a.id = r.id and a.takes_work)
      )
      select c.organization_id as "organizationId", c.project_id as id, c.runner_id as current,
        own.may_return as "mayReturn",
        coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'takesWork', a.takes_work, 'projects', a.projects))
          from counted a where a.pool_id = l.id), '[]') as able
      from without c
      left join runner_pool l on l.organization_id = c.organization_id and l.name = c.pool
      cross join lateral (
        select exists (select from runner r where r.id = c.runner_id and r.pool_id = l.id and r.revoked_at is null) as may_return,
          exists (select from able a where a.id = c.runner_id and a.pool_id = l.id) as is_able
      ) own
      where c.project_id > ${after}::uuid and ((c.runner_id is not null and not own.may_return)
          or exists (select from able a where a.pool_id = l.id and (a.takes_work or not own.is_able)))
      order by c.project_id limit ${limit}`,
  );
  return candidateSchema.array().parse(rows);
}
export type UnassignedChecker = z.infer<typeof candidateSchema>;

/** Gives the checks of a project to a runner, or to none. Returns false if they have changed in between. */
export async function assignChecker(
  db: TenantDb,
  { projectId, from, to }: { projectId: string; from: string | null; to: string | null },
  now: Date,
): Promise<boolean> {
  const { count } = await db.checker.updateMany({
    where: { projectId, runnerId: from },
    data: { runnerId: to, epoch: { increment: 1 }, assignedAt: to === null ? null : now },
  });
  if (count === 1) await forgetRunTimes(db, projectId);
  return count === 1;
}

/** Returns what a runner has to run: projects with their checks, in a stable order. */
export function listPlan(db: TenantDb, runnerId: string) {
  return db.checker.findMany({
    where: { runnerId, isOn: true },
    orderBy: { projectId: 'asc' },
    select: {
      projectId: true,
      epoch: true,
      version: true,
      project: {
        select: {
          checks: {
            where: { removedAt: null },
            orderBy: { id: 'asc' },
            select: {
              id: true,
              spec: true,
              everySeconds: true,
              service: { select: { name: true } },
            },
          },
        },
      },
    },
  });
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
export async function lockChecks(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
): Promise<CheckRow[]> {
  await queryRaw(
    db,
    Prisma.sql`select 1 from service_check where organization_id = ${organizationId}::uuid
      and project_id = ${projectId}::uuid and removed_at is null order by id for update`,
  );
  const rows = await db.serviceCheck.findMany({
    where: { projectId, removedAt: null },
    orderBy: [{ serviceId: 'asc' }, { position: 'asc' }],
  });
  return rows.map((row) => ({
    ...row,
    status: serviceStatusSchema.parse(row.status),
    lastStatus: serviceStatusSchema.nullable().parse(row.lastStatus),
    recent: recentSchema.parse(row.recent),
    lastRunNumber: row.lastRunNumber === null ? null : Number(row.lastRunNumber),
  }));
}

/** Stores the states of checks. */
export async function saveChecks(
  db: TenantDb,
  organizationId: OrganizationId,
  checks: readonly CheckRow[],
): Promise<void> {
  if (checks.length === 0) return;
  const rows = checks.map((check) => ({
    ...check,
    overdueAt: isHeartbeat(check) ? null : overdueAt(check),
  }));
  // A time that is there stays until a sweep moves it: changing an index with every result costs more.
  await executeRaw(
    db,
    Prisma.sql`update service_check c set status = t.status, status_since = t."statusSince",
        failing_since = t."failingSince", recent = t.recent, last_at = t."lastAt",
        last_run_process = t."lastRunProcess", last_run_number = t."lastRunNumber", last_run_at = t."lastRunAt",
        last_status = t."lastStatus", last_error = t."lastError", last_response_ms = t."lastResponseMs",
        overdue_at = case when t.status <> 'unknown' then coalesce(c.overdue_at, t."overdueAt") end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(
        id uuid, status text, "statusSince" timestamptz, "failingSince" timestamptz, recent jsonb,
        "lastRunProcess" uuid, "lastRunNumber" bigint, "lastRunAt" timestamptz, "overdueAt" timestamptz, "lastAt" timestamptz, "lastStatus" text, "lastError" text, "lastResponseMs" int)
      where c.organization_id = ${organizationId}::uuid and c.id = t.id`,
  );
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
  organizationId: OrganizationId,
  runnerId: string | null,
  results: readonly ResultRow[],
): Promise<void> {
  if (results.length === 0) return;
  await executeRaw(
    db,
    Prisma.sql`with given as (
        select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as t(
          "checkId" uuid, at timestamptz, status text, error text, "responseMs" int)
      ), stored as (
        insert into check_result (organization_id, check_id, at, status, error, response_ms, runner_id)
        select ${organizationId}::uuid, "checkId", at, status, error, "responseMs", ${runnerId}::uuid from given
        on conflict do nothing
        returning check_id, at, status, response_ms
      )
      insert into check_hour as h
        (organization_id, check_id, hour, healthy, degraded, down, unknown, timed, total_ms, max_ms)
      select ${organizationId}::uuid, check_id, date_trunc('hour', at, 'UTC'),
        count(*) filter (where status = 'healthy'), count(*) filter (where status = 'degraded'),
        count(*) filter (where status = 'down'), count(*) filter (where status = 'unknown'),
        count(response_ms), coalesce(sum(response_ms), 0), max(response_ms)
      from stored group by 2, 3
      on conflict (organization_id, check_id, hour) do update set healthy = h.healthy + excluded.healthy,
        degraded = h.degraded + excluded.degraded, down = h.down + excluded.down,
        unknown = h.unknown + excluded.unknown, timed = h.timed + excluded.timed,
        total_ms = h.total_ms + excluded.total_ms, max_ms = greatest(h.max_ms, excluded.max_ms)`,
  );
}

/**
 * Moves the times at which checks have to be looked at, of those that have had results since. What is
 * locked is left for the next sweep.
 */
export function postponeOverdue(now: Date): Promise<number> {
  const next = Prisma.sql`c.last_at + ${overdueAfter(Prisma.sql`c.every_seconds`)}`;
  return systemDb(reason).$executeRaw(
    Prisma.sql`update service_check s set overdue_at = due.next
      from (
        select c.organization_id, c.id, ${next} as next from service_check c
        where c.overdue_at <= ${now}::timestamptz and ${next} > ${now}::timestamptz
        for no key update skip locked
      ) due
      where s.organization_id = due.organization_id and s.id = due.id`,
  );
}

/** Returns projects with checks whose result is missing. */
export function listOverdueProjects(
  now: Date,
  { after, limit }: Turn,
): Promise<{ id: string; organizationId: string }[]> {
  return systemDb(reason).$queryRaw(
    Prisma.sql`select distinct c.project_id as id, c.organization_id as "organizationId"
      from service_check c
      where c.overdue_at <= ${now}::timestamptz and c.project_id > ${after}::uuid
        and c.last_at + ${overdueAfter(Prisma.sql`c.every_seconds`)} <= ${now}::timestamptz
      order by 1 limit ${limit}`,
  );
}

const blockCandidateSchema = z.object({
  organizationId: z.uuid(),
  /** Of the project. */
  id: z.uuid(),
  runnerId: z.uuid().nullable(),
  lastSeenAt: z.date().nullable(),
  canRunChecks: z.boolean(),
  /** The shortest interval of its checks. */
  everySeconds: z.number().int().nullable(),
});

/** Returns projects whose checks no runner can run, and those of which that was so. */
export async function listBlockCandidates(seenAfter: Date, now: Date, { after, limit }: Turn) {
  const rows = await systemDb(reason).$queryRaw<unknown[]>(
    Prisma.sql`with able as materialized (${ableSql(seenAfter)}),
      found as (
        select organization_id, project_id, true as is_blocked from checker where is_on and needs_runner and runner_id is null
        union all
        select c.organization_id, c.project_id, true from runner r
        cross join lateral (select * from checker where runner_id = r.id and is_on and needs_runner offset 0) c
        where not exists (select from able a where a.id = r.id)
        union all
        select organization_id, project_id, false from checker where blocked_since is not null
      ), ranked as (
        select organization_id, project_id, bool_or(is_blocked) as is_blocked from found
        where project_id > ${after}::uuid group by 1, 2
      )
      select c.organization_id as "organizationId", c.project_id as id, c.runner_id as "runnerId",
        r.last_seen_at as "lastSeenAt", r.id is not null and r.revoked_at is null
          and coalesce((r.posture->>'canRunChecks')::boolean, false) as "canRunChecks",
        k.every_seconds as "everySeconds"
      from ranked f
      join checker c on c.organization_id = f.organization_id and c.project_id = f.project_id
      left join runner r on r.organization_id = c.organization_id and r.id = c.runner_id
      left join lateral (
        select min(k.every_seconds) as every_seconds from service_check k
        where k.organization_id = c.organization_id and k.project_id = c.project_id and k.removed_at is null
          and k.spec->>'type' <> 'heartbeat' and c.block_reported_at is null
      ) k on true
      where c.blocked_since is null or not f.is_blocked or (c.block_reported_at is null
        and c.blocked_since + ${overdueAfter(Prisma.sql`coalesce(k.every_seconds, 0)`)} < ${now}::timestamptz)
        or (c.blocked_reason = 'runner_offline' and c.runner_id is null)
      order by c.project_id limit ${limit}`,
  );
  return blockCandidateSchema.array().parse(rows);
}
export type BlockCandidate = z.infer<typeof blockCandidateSchema>;

/** Stores since when no runner can run the checks of a project, or that one can. */
export async function saveBlock(
  db: TenantDb,
  projectId: string,
  block: Block | null,
): Promise<void> {
  await db.checker.updateMany({
    where: { projectId },
    data: {
      blockedSince: block?.since ?? null,
      blockedReason: block?.reason ?? null,
      blockReportedAt: block?.reportedAt ?? null,
    },
  });
}

/** Deletes up to `limit` results from before that time. Returns how many. */
export function deletePastResults(before: Date, limit: number): Promise<number> {
  return systemDb(reason).$executeRaw(
    Prisma.sql`delete from check_result r using (
        select organization_id, check_id, at from check_result where at < ${before}::timestamptz limit ${limit}
      ) past
      where r.organization_id = past.organization_id and r.check_id = past.check_id and r.at = past.at`,
  );
}

/** Deletes up to `limit` hours from before that time. Returns how many. */
export function deletePastHours(before: Date, limit: number): Promise<number> {
  return systemDb(reason).$executeRaw(
    Prisma.sql`delete from check_hour h using (
        select organization_id, check_id, hour from check_hour where hour < ${before}::timestamptz limit ${limit}
      ) past
      where h.organization_id = past.organization_id and h.check_id = past.check_id and h.hour = past.hour`,
  );
}
