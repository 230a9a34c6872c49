import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { APPROVAL_PENDING } from '@/lib/protocol/event-codes';
import type { CallRow } from './data';

const MAX_COMMANDS = 2_000;

/**
 * Commands that confined agents had run outside their sandbox, or that were denied there, in the form
 * of the calls of other agents. `isDenied`: it was never executed. One that waits for a person isn't
 * denied: the process that continues its conversation asks for it again.
 *
 * @returns those that may have changed something, and the denied ones, each once, oldest first
 */
export function listBrokeredRows(db: TenantDb, sessionIds: readonly string[]): Promise<CallRow[]> {
  return sqlRows(
    db,
  )<CallRow>`select k.session_id, s.tier, coalesce(c.seq, e.seq) as seq, 'Bash' as tool, null as harness,
        k.requested_at as at, false as is_confined,
        jsonb_build_object('command', (
          select string_agg(argument, ' ' order by place)
          from jsonb_array_elements_text(k.argv) with ordinality as t(argument, place))) as input,
        k.attempt_id || '/' || k.number as tool_use_id, k.state = 'refused' as is_denied,
        coalesce(k.exit_code <> 0, false) as is_error, k.exit_code,
        k.state = 'left_running' as is_left_running, case when k.state <> 'refused' then k.ended_at end as ended_at
      from command k
      join session s on s.organization_id = ${db.organizationId}::uuid and s.id = k.session_id
      join session_event e on e.organization_id = ${db.organizationId}::uuid and e.session_id = k.session_id
        and e.attempt_id = k.attempt_id and e.attempt_seq = k.attempt_seq
      -- The call in which the agent's shell ran it: its row shows the output.
      left join lateral (
        select seq from session_event
        where organization_id = ${db.organizationId}::uuid and session_id = k.session_id
          and attempt_id = k.attempt_id and kind = 'tool_call' and seq < e.seq
        order by seq desc limit 1
      ) c on true
      where k.organization_id = ${db.organizationId}::uuid and k.session_id = any(${[...sessionIds]}::uuid[])
        and case k.state when 'refused' then k.refusal_code <> ${APPROVAL_PENDING} else k.may_change end
      order by k.requested_at, k.session_id, e.seq
      limit ${MAX_COMMANDS}`;
}
