import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { CallRow } from './data';

const MAX_COMMANDS = 2_000;

/**
 * Commands that confined agents had run outside their sandbox, or that were refused there, in the form
 * of the calls of other agents. `is_denied`: it was never executed.
 *
 * @returns those that may have changed something, and the refused ones, oldest first
 */
export function listBrokeredRows(
  db: TenantDb,
  organizationId: OrganizationId,
  sessionIds: readonly string[],
): Promise<CallRow[]> {
  return queryRaw<CallRow>(
    db,
    Prisma.sql`with events as (
        select session_id, attempt_id, seq, at, payload, payload->>'phase' as phase, payload->>'number' as number
        from session_event
        where organization_id = ${organizationId}::uuid and session_id = any(${[...sessionIds]}::uuid[])
          and kind = 'brokered' and not is_late
      ), first as (
        select distinct on (attempt_id, number) * from events order by attempt_id, number, seq
      ), last as (
        select distinct on (attempt_id, number) * from events order by attempt_id, number, seq desc
      )
      select f.session_id, s.tier, coalesce(c.seq, f.seq) as seq, 'Bash' as tool, null as harness, f.at, false as is_confined,
        jsonb_build_object('command', (
          select string_agg(argument, ' ' order by place)
          from jsonb_array_elements_text(f.payload->'argv') with ordinality as t(argument, place))) as input,
        f.attempt_id || '/' || f.number as tool_use_id, l.phase = 'refused' as is_denied,
        coalesce((l.payload->'end'->>'exitCode')::int <> 0, false) as is_error,
        (l.payload->'end'->>'exitCode')::int as exit_code, l.phase = 'left_running' as is_left_running,
        case when l.phase = 'ended' then l.at end as ended_at
      from first f
      join last l on l.attempt_id = f.attempt_id and l.number = f.number
      join session s on s.organization_id = ${organizationId}::uuid and s.id = f.session_id
      -- The call in which the agent's shell ran it: its row shows the output.
      left join lateral (
        select seq from session_event
        where organization_id = ${organizationId}::uuid and session_id = f.session_id
          and attempt_id = f.attempt_id and kind = 'tool_call' and seq < f.seq
        order by seq desc limit 1
      ) c on true
      where l.phase = 'refused' or (f.payload->>'changes')::boolean
      order by f.at, f.session_id, f.seq
      limit ${MAX_COMMANDS}`,
  );
}
