import { sql } from 'kysely';
/** Many projects of one organization, without walking through the service for each. */
import pg from 'pg';
import type { TenantScope } from '@/lib/platform/db/scope';
import { changedBy } from '@/lib/platform/db/sql';
import { inTransaction } from '@/lib/platform/db/tenant-db';

/** Copies of a project, all due at the same instant. */
export async function copyProject(
  scope: TenantScope,
  projectId: string,
  count: number,
  nextRunAt: Date,
): Promise<void> {
  const { organizationId } = scope;
  await inTransaction(scope, async (db) => {
    await changedBy(
      db,
      sql`insert into project (id, organization_id, slug, name, next_run_at)
        select gen_random_uuid(), ${organizationId}::uuid, 'copy-' || n, 'Copy ' || n, ${nextRunAt}::timestamptz
        from generate_series(1, ${count}::int) n`,
    );
    await changedBy(
      db,
      sql`insert into project_version (organization_id, project_id, version, config, author)
        select p.organization_id, p.id, 1, v.config, v.author from project p
        join project_version v on v.organization_id = p.organization_id and v.project_id = ${projectId}::uuid
        where p.organization_id = ${organizationId}::uuid and p.slug like 'copy-%'`,
    );
    await changedBy(
      db,
      sql`insert into threshold (organization_id, project_id, version, scope, name, value)
        select p.organization_id, p.id, 1, t.scope, t.name, t.value from project p
        join threshold t on t.organization_id = p.organization_id and t.project_id = ${projectId}::uuid and t.version = 1
        where p.organization_id = ${organizationId}::uuid and p.slug like 'copy-%'`,
    );
  });
}

export async function setNextRun(scope: TenantScope, projectId: string, at: Date | null) {
  await inTransaction(scope, (db) =>
    db.project.updateMany({ where: { id: projectId }, data: { nextRunAt: at } }),
  );
}

/** Takes every project of every organization off its schedule. */
export async function stopSchedules({ superuserUrl }: { superuserUrl: string }): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  await client.query('update project set next_run_at = null');
  await client.end();
}

/** Everything that the schedule has made for an organization, oldest first. */
export function readScheduled(scope: TenantScope) {
  return inTransaction(scope, async (db) => ({
    projects: await db.project.findMany({ orderBy: { id: 'asc' } }),
    chains: await db.chain.findMany({ orderBy: [{ projectId: 'asc' }, { number: 'asc' }] }),
    sessions: await db.session.findMany({}),
    attempts: await db.attempt.findMany({}),
    events: await db.projectEvent.findMany({ orderBy: { id: 'asc' } }),
  }));
}
