import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Returns the newest session of a tier in a chain, and the services it was started for. */
export async function findLastStart(db: TenantDb, projectId: string, tier: number) {
  const session = await db.session.findFirst({
    where: { projectId, tier, kind: 'tier' },
    orderBy: { id: 'desc' },
    select: {
      parentSessionId: true,
      chain: { select: { number: true, trigger: true, prompt: true } },
    },
  });
  if (!session?.chain) return null;
  const handoff = session.parentSessionId
    ? await db.handoff.findFirst({
        where: { sessionId: session.parentSessionId },
        select: { payload: true },
      })
    : null;
  return { chain: session.chain, handoff: handoff?.payload ?? null };
}

const NEWEST = 500;

const rowSchema = z.object({ share: z.number().nullable() });

/** Returns the context use at the project's newest escalations since a time; null: unknown. */
export async function listContextShares(
  db: TenantDb,
  projectId: string,
  since: Date,
): Promise<(number | null)[]> {
  // By session, whose index is the project's, newest first; decisions have none by project.
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select (d.facts->'context'->>'share')::float8 as share
    from (
      select organization_id, id from session
      where project_id = ${projectId}::uuid and parent_session_id is not null and kind = 'tier'
      order by id desc limit ${NEWEST}) s
    join lateral (
      select facts, created_at from decision
      where organization_id = s.organization_id and session_id = s.id and kind = 'continuation'
      order by id limit 1) d on true
    where d.created_at > ${since}::timestamptz`,
  );
  return rowSchema
    .array()
    .parse(rows)
    .map((row) => row.share);
}
