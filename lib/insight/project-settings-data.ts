import { z } from 'zod';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

const NEWEST = 500;

const rowSchema = z.object({ share: z.number().nullable() });

/** Returns the context use at the project's newest escalations since a time; null: unknown. */
export async function listContextShares(
  db: TenantDb,
  projectId: string,
  since: Date,
): Promise<(number | null)[]> {
  // By session, whose index is the project's, newest first; decisions have none by project.
  const rows = await sqlRows(db)`
    select (d.facts->'context'->>'share')::float8 as share
    from (
      select organization_id, id from session
      where project_id = ${projectId}::uuid and parent_session_id is not null and kind = 'tier'
      order by id desc limit ${NEWEST}) s
    join lateral (
      select facts, created_at from decision
      where organization_id = s.organization_id and session_id = s.id and kind = 'continuation'
      order by id limit 1) d on true
    where d.created_at > ${since}::timestamptz`;
  return rowSchema
    .array()
    .parse(rows)
    .map((row) => row.share);
}
