import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { inSystemTransaction, systemDb } from '@/lib/platform/db/global-db';
import { executeRaw, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import type { CheckState, ResultStatus } from './check-state';
import type { PlannedServiceCheck } from './planned-checks';

const reason = 'checks of every organization';

/** Returns projects whose checks aren't those of their current configuration. */
export function listOutdatedCheckers(
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  return systemDb(reason).$queryRaw(
    Prisma.sql`select p.id, p.organization_id as "organizationId" from project p
      left join checker c on c.organization_id = p.organization_id and c.project_id = p.id
      where c.version is distinct from p.current_version
      order by p.id limit ${limit}`,
  );
}

/** Locks the checker of a project, and returns it; null before its first synchronization. */
export async function lockChecker(db: TenantDb, organizationId: OrganizationId, projectId: string) {
  await queryRaw(
    db,
    Prisma.sql`select 1 from checker
      where organization_id = ${organizationId}::uuid and project_id = ${projectId}::uuid for update`,
  );
  return db.checker.findFirst({ where: { projectId } });
}

/** Stores from which version the checks of a project are. Earlier results are refused from now on. */
export async function saveChecker(
  db: TenantDb,
  organizationId: OrganizationId,
  checker: { projectId: string; version: number; isOn: boolean; runnerId: string | null },
): Promise<void> {
  const { projectId, ...columns } = checker;
  await db.checker.upsert({
    where: { organizationId_projectId: { organizationId, projectId } },
    create: { organizationId, projectId, ...columns },
    update: { ...columns, epoch: { increment: 1 } },
  });
  await forgetRunTimes(db, projectId);
}

/** Runs are told apart by their runner’s clock, which says nothing about those of another epoch. */
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
        ${RESET_IF_IT_COMES_BACK}`,
  );
  const kept = rows.map(({ service, key }) => ({ service, key }));
  await executeRaw(
    db,
    Prisma.sql`update service_check c set removed_at = ${now}::timestamptz
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

const candidateSchema = z.object({
  organizationId: z.uuid(),
  projectId: z.uuid(),
  current: z.uuid().nullable(),
  /** Whether the current one is still of the pool, and only can't be reached or takes no work. */
  mayReturn: z.boolean(),
  able: z.array(
    z.object({ id: z.uuid(), takesWork: z.boolean(), projects: z.coerce.number().int() }),
  ),
});

/**
 * Returns the projects with checks that another runner should run, or none, each with the runners that
 * could run them. While there is no other runner, a project keeps one that is only offline.
 */
export async function listUnassignedCheckers(seenAfter: Date, limit: number) {
  const rows = await systemDb(reason).$queryRaw<unknown[]>(
    Prisma.sql`with able as materialized (
        select r.organization_id, r.pool_id, r.id, r.draining_at is null and r.paused_at is null as takes_work,
          (select count(*) from checker c where c.runner_id = r.id and c.is_on)::int as projects
        from runner r
        where r.revoked_at is null and r.last_seen_at > ${seenAfter}::timestamptz
          and (r.posture->>'canRunChecks')::boolean
      )
      select c.organization_id as "organizationId", c.project_id as "projectId", c.runner_id as current,
        own.may_return as "mayReturn",
        coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'takesWork', a.takes_work, 'projects', a.projects))
          from able a where a.pool_id = l.id), '[]') as able
      from checker c
      join project p on p.organization_id = c.organization_id and p.id = c.project_id
      join project_version v on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version
      left join runner_pool l on l.organization_id = p.organization_id and l.name = v.runner_pool
      cross join lateral (
        select exists (select from runner r where r.id = c.runner_id and r.pool_id = l.id and r.revoked_at is null) as may_return,
          exists (select from able a where a.id = c.runner_id and a.pool_id = l.id) as is_able,
          exists (select from able a where a.id = c.runner_id and a.pool_id = l.id and a.takes_work) as takes_work
      ) own
      where c.is_on and not own.takes_work and exists (
          select from service_check k where k.organization_id = c.organization_id and k.project_id = c.project_id
            and k.removed_at is null and k.spec->>'type' <> 'heartbeat')
        and (
          (c.runner_id is not null and not own.may_return)
          or exists (select from able a where a.pool_id = l.id and (a.takes_work or not own.is_able)))
      order by c.organization_id, c.project_id limit ${limit}`,
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

export interface CheckRow extends CheckState {
  id: string;
  serviceId: string;
  /** CheckSpec in lib/protocol/spec.ts. */
  spec: unknown;
  everySeconds: number;
  lastRunAt: Date | null;
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
  }));
}

/** Stores the states of checks. */
export async function saveChecks(
  db: TenantDb,
  organizationId: OrganizationId,
  checks: readonly CheckRow[],
): Promise<void> {
  if (checks.length === 0) return;
  await executeRaw(
    db,
    Prisma.sql`update service_check c set status = t.status, status_since = t."statusSince",
        failing_since = t."failingSince", recent = t.recent, last_run_at = t."lastRunAt", last_at = t."lastAt",
        last_status = t."lastStatus", last_error = t."lastError", last_response_ms = t."lastResponseMs"
      from jsonb_to_recordset(${JSON.stringify(checks)}::jsonb) as t(
        id uuid, status text, "statusSince" timestamptz, "failingSince" timestamptz, recent jsonb,
        "lastRunAt" timestamptz, "lastAt" timestamptz, "lastStatus" text, "lastError" text, "lastResponseMs" int)
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

/** Returns projects with checks without a result for `intervals` of their own and some time. */
export function listOverdueProjects(
  intervals: number,
  slackSeconds: number,
  now: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  return systemDb(reason).$queryRaw(
    Prisma.sql`select distinct c.project_id as id, c.organization_id as "organizationId"
      from service_check c
      where c.removed_at is null and c.spec->>'type' <> 'heartbeat'
        and c.status <> 'unknown' and c.last_at is not null
        and c.last_at < ${now}::timestamptz - interval '1 second' * (c.every_seconds * ${intervals} + ${slackSeconds})
      order by 1 limit ${limit}`,
  );
}

/** Deletes results and hours that are older, up to `limit` of each. Returns how many. */
export async function deletePastResults(
  before: { results: Date; hours: Date },
  limit: number,
): Promise<number> {
  return inSystemTransaction(reason, async (query) => {
    const results = await query(
      Prisma.sql`delete from check_result r using (
          select organization_id, check_id, at from check_result where at < ${before.results}::timestamptz limit ${limit}
        ) past
        where r.organization_id = past.organization_id and r.check_id = past.check_id and r.at = past.at
        returning 1`,
    );
    const hours = await query(
      Prisma.sql`delete from check_hour h using (
          select organization_id, check_id, hour from check_hour where hour < ${before.hours}::timestamptz limit ${limit}
        ) past
        where h.organization_id = past.organization_id and h.check_id = past.check_id and h.hour = past.hour
        returning 1`,
    );
    return Math.max(results.length, hours.length);
  });
}
