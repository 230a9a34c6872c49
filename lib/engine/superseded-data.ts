import { z } from 'zod';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

const rowsSchema = z.array(z.object({ id: z.string() }));

/**
 * Returns those of a runner's conversations that no start can ever continue:
 *
 * - their attempt is settled, and left no pointer, a late one, or a retired one;
 * - another attempt of the same session has left a newer one;
 * - the pointer has expired;
 * - nothing live or future continues it: its chain has ended with another session, or its turn was
 *   cut, has ended without an answer, or has a successor. An edit before that one raises the epoch.
 *
 * Conversations that are unknown here are never included.
 */
export async function listSuperseded(
  db: TenantDb,
  of: { runnerId: string; cliSessionIds: readonly string[]; expiredBefore: Date },
): Promise<string[]> {
  const rows = await sqlRows(db)<unknown>`select distinct a.start ->> 'cliSessionId' as id
      from attempt a
      join session s on s.organization_id = a.organization_id and s.id = a.session_id
      where a.organization_id = ${db.organizationId}::uuid and a.runner_id = ${of.runnerId}::uuid
        and a.start is not null and a.start ->> 'cliSessionId' = any(${[...of.cliSessionIds]}::text[])
        and a.settled_at is not null
        and not exists (
          select 1 from pointer p
          where p.organization_id = a.organization_id and p.attempt_id = a.id
            and p.state <> 'retired' and not p.is_late
            and p.created_at > ${of.expiredBefore}::timestamptz
            and not exists (
              select 1 from pointer newer
              where newer.organization_id = p.organization_id and newer.session_id = p.session_id
                and not newer.is_late and newer.id > p.id)
            and (
              exists (
                select 1 from session child
                where child.organization_id = s.organization_id and child.parent_session_id = s.id
                  and child.ended_at is null)
              or exists (
                select 1 from chain c
                where c.organization_id = s.organization_id and c.id = s.chain_id
                  and (c.status <> 'ended' or not exists (
                    select 1 from session later
                    where later.organization_id = c.organization_id and later.chain_id = c.id
                      and later.number > s.number)))
              or exists (
                select 1 from turn t
                where t.organization_id = s.organization_id and t.session_id = s.id
                  and t.cut_at is null and (t.answer is not null or s.ended_at is null)
                  and not exists (
                    select 1 from turn later
                    where later.organization_id = t.organization_id
                      and later.conversation_id = t.conversation_id and later.id > t.id))))`;
  return rowsSchema.parse(rows).map(({ id }) => id);
}
