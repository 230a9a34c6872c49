import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { type DueRow, inTurns, listDue } from '@/lib/platform/db/due';
import { query, sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { Block } from './block';
import { AT_ONCE, forgetRunTimes, overdueAfter } from './check-data';

const reason = 'checkers of every organization';

/** Returns projects whose checks aren't those of their current configuration. */
export const listOutdatedCheckers = inTurns(AT_ONCE, (without) =>
  listDue(
    reason,
    query
      .selectFrom('project')
      .select(['id', 'organizationId', sql<null>`null::timestamptz`.as('dueAt')])
      .where('checksVersion', 'is distinct from', (eb) => eb.ref('currentVersion')),
    { limit: AT_ONCE, without },
  ),
);

/** How long the results and sweeps of one project wait for its locks, which others wait behind. */
const LOCK_TIMEOUT = '5s';

/**
 * Locks the checker of a project, and returns it; null before its first synchronization. The project's
 * row is locked first, so that its deletion and a change of its slug wait: they lock it, then what
 * belongs to it. From here on, the transaction fails where it waits too long for a lock.
 */
export async function lockChecker(db: TenantDb, projectId: string) {
  await sqlChanges(db)`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
  await sqlChanges(db)`with held as materialized (
        select id from project
        where organization_id = ${db.organizationId}::uuid and id = ${projectId}::uuid for key share
      )
      select 1 from held join checker c on c.organization_id = ${db.organizationId}::uuid and c.project_id = held.id
      for update of c`;
  return db.checker.findFirst({ where: { projectId } });
}

/** Stores from which version the checks of a project are. Earlier results are refused from now on. */
export async function saveChecker(
  db: TenantDb,
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
    where: { organizationId_projectId: { organizationId: db.organizationId, projectId } },
    create: { organizationId: db.organizationId, projectId, ...columns },
    update: { ...columns, epoch: { increment: 1 } },
  });
  await forgetRunTimes(db, projectId);
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
function ableSql(seenAfter: Date): RawBuilder<unknown> {
  return sql`select r.organization_id, r.pool_id, r.id, r.draining_at is null and r.paused_at is null as takes_work
    from runner r
    where r.revoked_at is null and r.last_seen_at > ${seenAfter}::timestamptz and (r.capabilities->>'canRunChecks')::boolean`;
}

/**
 * Returns the projects with checks that another runner should run, or none, each with the runners that
 * could run them. While there is no other runner, a project keeps one that is only offline.
 *
 * It starts from the runners that aren't able or take no work, so that it costs little where all are well:
 * `offset 0` keeps PostgreSQL from reading all checkers instead.
 */
export const listUnassignedCheckers = inTurns(AT_ONCE, async (without, seenAfter: Date) => {
  const rows = await listDue(
    reason,
    sql<DueRow>`(with able as materialized (${ableSql(seenAfter)}),
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
      select c.organization_id, c.project_id as id, null::timestamptz as due_at, c.runner_id as current, own.may_return,
        coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'takesWork', a.takes_work, 'projects', a.projects))
          from counted a where a.pool_id = l.id), '[]') as able
      from without c
      left join runner_pool l on l.organization_id = c.organization_id and l.name = c.pool
      cross join lateral (
        select exists (select from runner r where r.id = c.runner_id and r.pool_id = l.id and r.revoked_at is null) as may_return,
          exists (select from able a where a.id = c.runner_id and a.pool_id = l.id) as is_able
      ) own
      where (c.runner_id is not null and not own.may_return)
        or exists (select from able a where a.pool_id = l.id and (a.takes_work or not own.is_able)))`,
    { limit: AT_ONCE, without },
  );
  return candidateSchema.array().parse(rows);
});
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
export const listBlockCandidates = inTurns(AT_ONCE, async (without, seenAfter: Date, now: Date) => {
  const rows = await listDue(
    reason,
    sql<DueRow>`(with able as materialized (${ableSql(seenAfter)}),
      found as (
        select organization_id, project_id, true as is_blocked from checker where is_on and needs_runner and runner_id is null
        union all
        select c.organization_id, c.project_id, true from runner r
        cross join lateral (select * from checker where runner_id = r.id and is_on and needs_runner offset 0) c
        where not exists (select from able a where a.id = r.id)
        union all
        select organization_id, project_id, false from checker where blocked_since is not null
      ), ranked as (
        select organization_id, project_id, bool_or(is_blocked) as is_blocked from found group by 1, 2
      )
      select c.organization_id, c.project_id as id, null::timestamptz as due_at, c.runner_id, r.last_seen_at,
        r.id is not null and r.revoked_at is null
          and coalesce((r.capabilities->>'canRunChecks')::boolean, false) as can_run_checks,
        k.every_seconds
      from ranked f
      join checker c on c.organization_id = f.organization_id and c.project_id = f.project_id
      left join runner r on r.organization_id = c.organization_id and r.id = c.runner_id
      left join lateral (
        select min(k.every_seconds) as every_seconds from service_check k
        where k.organization_id = c.organization_id and k.project_id = c.project_id and k.removed_at is null
          and k.spec->>'type' <> 'heartbeat' and c.block_reported_at is null
      ) k on true
      where c.blocked_since is null or not f.is_blocked or (c.block_reported_at is null
        and c.blocked_since + ${overdueAfter(sql`coalesce(k.every_seconds, 0)`)} < ${now}::timestamptz)
        or (c.blocked_reason = 'runner_offline' and c.runner_id is null))`,
    { limit: AT_ONCE, without },
  );
  return blockCandidateSchema.array().parse(rows);
});
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
