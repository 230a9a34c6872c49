import { sql } from 'kysely';
import { query, refers, rowsOf } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/**
 * Whether a project with the demo agent checks a URL: the one given, or any of the organization.
 *
 * @param projectId UUID; null for any
 */
export async function isUrlWatched(
  db: TenantDb,
  url: string,
  projectId: string | null,
): Promise<boolean> {
  const isDemoTarget = sql<boolean>`v.harness = 'demo' and v.config @? ('$.services[*].checks[*].target ? (@ == "' || ${url}::text || '")')::jsonpath`;
  const watched = query
    .selectFrom('project as p')
    .innerJoin('projectVersion as v', refers('v.projectId', 'p.id'))
    .select('p.id')
    .whereRef('v.version', '=', 'p.currentVersion')
    .where(isDemoTarget)
    .$if(projectId !== null, (rows) => rows.where('p.id', '=', projectId ?? ''));
  return (await rowsOf(db, watched.limit(1))).length > 0;
}
