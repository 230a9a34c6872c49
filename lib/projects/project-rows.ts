import { type RawBuilder, sql } from 'kysely';
import { beforeCommit } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import { sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { currentTenant } from '@/lib/platform/db/tenant-pool';
import { NotFoundError } from '@/lib/platform/errors';
import type { CheckResultEvent } from '@/lib/protocol/events';
import { verdictOf } from './check-verdict';
import { readVersion } from './read-config';
import type { ProjectConfig } from './schema';

export async function findProjectBySlug(db: TenantDb, slug: string) {
  return db.project.findFirst({ where: { slug } });
}

export async function getProjectRow(db: TenantDb, projectId: string) {
  const project = await db.project.findFirst({ where: { id: projectId } });
  if (!project) throw new NotFoundError();
  return project;
}

export async function getProjectBySlug(db: TenantDb, slug: string) {
  const project = await findProjectBySlug(db, slug);
  if (!project) throw new NotFoundError();
  return project;
}

// A version never changes, and every step of a chain asks for it.
const configs = createConfigCache();

/** Returns the configuration that a chain froze, or the active one. */
export async function getConfig(
  db: TenantDb,
  projectId: string,
  version: number,
): Promise<ProjectConfig> {
  const known = configs.get(projectId, version);
  if (known) return known;
  const row = await db.projectVersion.findFirst({
    where: { projectId, version },
    include: { thresholds: true },
  });
  if (!row) throw new NotFoundError();
  return configs.keep(projectId, version, readVersion(row));
}

/** Stores that the checks without an agent are those of this version; not if another has been saved since. */
export async function markChecksWritten(
  db: TenantDb,
  projectId: string,
  version: number,
): Promise<void> {
  await db.project.updateMany({
    where: { id: projectId, currentVersion: version },
    data: { checksVersion: version },
  });
}

export async function stopSchedule(db: TenantDb, projectId: string): Promise<void> {
  await db.project.updateMany({ where: { id: projectId }, data: { nextRunAt: null } });
}

/** Returns the next session number of a project. Others wait until the transaction ends. */
export async function takeSessionNumber(
  db: TenantDb,
  organizationId: OrganizationId,
  projectId: string,
): Promise<number> {
  const { lastSessionNumber } = await db.project.update({
    where: { organizationId_id: { organizationId, id: projectId } },
    data: { lastSessionNumber: { increment: 1 } },
    select: { lastSessionNumber: true },
  });
  return lastSessionNumber;
}

/** Takes the next session number within a larger statement; returns `last_session_number`. */
export function takeSessionNumberSql(
  organizationId: string,
  projectId: string,
): RawBuilder<unknown> {
  return sql`update project set last_session_number = last_session_number + 1
    where organization_id = ${organizationId}::uuid and id = ${projectId}::uuid returning last_session_number`;
}

/**
 * Moves the slots of any number of different projects within a larger statement, and takes the next
 * numbers for their new chains. Returns every row of `input` with `isNew`, `last_chain_number` and
 * `last_session_number`.
 *
 * @param input rows with `projectId`, `organizationId`, `isSlotMoved` and `nextRunAt` (null stops the
 *   schedule), and `chainId`, `slotAt` and `skipped` of the new chain: no `chainId` if there is none,
 *   `skipped` null for one with a session. A slot that has a chain already isn't new; `offset 0`
 *   makes PostgreSQL look that up once per row.
 */
export function advanceProjectsSql(input: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`update project p set
      next_run_at = case when i."isSlotMoved" then i."nextRunAt" else p.next_run_at end,
      last_chain_number = p.last_chain_number + case when i."isNew" then 1 else 0 end,
      last_session_number = p.last_session_number + case when i."isNew" and i.skipped is null then 1 else 0 end
    from (select *, "chainId" is not null and not exists (
        select from chain c where c.project_id = "projectId" and c.slot_at = "slotAt") as "isNew"
      from ${input} offset 0) i
    where p.id = i."projectId" and p.organization_id = i."organizationId"
    returning i.*, p.last_chain_number, p.last_session_number`;
}

/**
 * Deletes a project with everything that belongs to it. What it spent each day stays, with the name
 * that it is shown under.
 */
export async function deleteProjectRow(
  db: TenantDb,
  organizationId: OrganizationId,
  project: { id: string; name: string; slug: string },
  deletedBy: string,
): Promise<void> {
  const { id: projectId, name, slug } = project;
  await db.project.deleteMany({ where: { id: projectId } });
  await db.deletedProject.create({ data: { organizationId, projectId, name, slug, deletedBy } });
}

/** Returns the paused tiers of a project, lowest first. */
export function listTierPauses(db: TenantDb, projectId: string) {
  return db.tierPause.findMany({ where: { projectId }, orderBy: { tier: 'asc' } });
}

const MAX_CONFIGS = 300;

interface ConfigCache {
  get(projectId: string, version: number): ProjectConfig | undefined;
  /** @returns the configuration, frozen: it is shared from now on */
  keep(projectId: string, version: number, config: ProjectConfig): ProjectConfig;
}

/**
 * Creates a cache of parsed configurations by tenant, project and version; the least recently used
 * are evicted.
 */
export function createConfigCache(): ConfigCache {
  const known = new Map<string, ProjectConfig>();
  // With the tenant in it, what one organization may read is never another's answer.
  const keyOf = (projectId: string, version: number) =>
    `${currentTenant() ?? ''}/${projectId}/${version}`;

  function put(key: string, config: ProjectConfig): void {
    known.delete(key);
    known.set(key, config);
    const [oldest] = known.keys();
    if (known.size > MAX_CONFIGS && oldest !== undefined) known.delete(oldest);
  }

  return {
    get(projectId, version) {
      const key = keyOf(projectId, version);
      const config = known.get(key);
      if (config) put(key, config);
      return config;
    },
    keep(projectId, version, config) {
      put(keyOf(projectId, version), deepFreeze(config));
      return config;
    },
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

/** Returns the pool with this name; creates it if it doesn't exist. */
export async function ensurePool(db: TenantDb, name: string): Promise<string> {
  const pool = await db.runnerPool.upsert({
    where: { organizationId_name: { organizationId: db.organizationId, name } },
    create: { organizationId: db.organizationId, name },
    update: {},
    select: { id: true },
  });
  return pool.id;
}

/** Returns the pool of that name; null if the organization has none. */
export async function findPool(db: TenantDb, organizationId: OrganizationId, name: string) {
  return db.runnerPool.findFirst({ where: { organizationId, name } });
}

/**
 * Stores what the runner measured: the chain's row of the service's history and, where no checks run
 * without an agent (`setsState`), the service's state now. Without proof of anything the chain has no row,
 * like one that didn't look at the service. In one statement for all services, since a hop waits for it.
 */
export function recordCheckResults(
  db: TenantDb,
  organizationId: OrganizationId,
  at: { projectId: string; chainId: string; now: Date; setsState: boolean },
  results: readonly CheckResultEvent[],
): void {
  if (results.length === 0) return;
  const names = [...new Set(results.map((result) => result.service))];
  const said = names.map((name) => {
    const { status, error, responseTimeMs, proven } = verdictOf(
      results.filter((result) => result.service === name),
    );
    const { status: last, before, worst } = proven ?? {};
    return { name, status, error, responseTimeMs, last, before, worst };
  });
  const write = sqlChanges(db)`with said as (
        select * from jsonb_to_recordset(${JSON.stringify(said)}::jsonb)
          as t(name text, status text, last text, before text, worst text, error text, "responseTimeMs" int)
      ), found as (
        select s.id, said.status, said.last, said.before, said.worst, said.error, said."responseTimeMs"
        from service s join said on s.name = said.name
        where s.organization_id = ${organizationId}::uuid and s.project_id = ${at.projectId}::uuid and s.removed_at is null
      ), stated as (
        update service s set status = said.status, last_error = said.error, last_checked_at = ${at.now},
          status_since = case when s.status = said.status then s.status_since else ${at.now} end,
          failing_since = case when said.status = 'healthy' then null
            when s.status in ('degraded', 'down') then coalesce(s.failing_since, s.status_since)
            when said.status = 'unknown' then s.failing_since
            else coalesce(s.failing_since, ${at.now}) end
        from found said
        where s.organization_id = ${organizationId}::uuid and s.id = said.id and ${at.setsState}
      )
      insert into service_health as h
        (organization_id, service_id, chain_id, status, status_before, status_worst, error, response_time_ms, at)
      select ${organizationId}::uuid, id, ${at.chainId}::uuid, last, before, worst, error, "responseTimeMs", ${at.now}::timestamptz
      from found where last is not null
      on conflict (organization_id, service_id, chain_id) do update
        set status = excluded.status, status_worst = ${worstWord(sql`excluded.status_worst, h.status_worst, h.status_before, h.status`)},
          error = excluded.error,
          response_time_ms = excluded.response_time_ms, at = excluded.at`;
  beforeCommit(db, write);
}

/** The worst of the statuses in a list of columns, as SQL; a missing one counts as healthy. */
function worstWord(columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when 'down' in (${columns}) then 'down' when 'degraded' in (${columns}) then 'degraded' else 'healthy' end`;
}

/** The worst status that a chain found, for a row of service_health by its alias. */
export function worstOfHealth(alias: RawBuilder<unknown>): RawBuilder<unknown> {
  return worstWord(sql`${alias}.status_worst, ${alias}.status_before, ${alias}.status`);
}

/** Returns the services of a project's current version, in their order. */
export function listServiceRows(
  db: TenantDb,
  projectId: string,
): Promise<{ id: string; name: string }[]> {
  return db.service.findMany({
    where: { projectId, removedAt: null },
    orderBy: { position: 'asc' },
    select: { id: true, name: true },
  });
}
