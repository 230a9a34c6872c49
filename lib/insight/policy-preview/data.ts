import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';
import type { Tier } from '@/lib/protocol/spec';

/** One command of a tier, in the form of an argv or of a shell line; the other is null. */
export interface RanCommandRow {
  tier: Tier;
  argv: string[] | null;
  line: string | null;
  isConfined: boolean;
  count: number;
  sessionNumber: number;
  seq: number;
  at: Date;
  /** Different commands of this tier and form, with those beyond the limit. */
  commands: number;
}

interface CommandSearch {
  /** UUID. */
  projectId: string;
  tiers: readonly Tier[];
  since: Date;
  /** How many different commands of a tier and form are returned, the newest ones. */
  limit: number;
}

/** Characters of a line that are compared. */
const MAX_LINE = 16_000;

/** A session runs its commands within this time of its creation, nearly always. */
const SESSION_MS = 86_400_000;

/** In milliseconds: nobody waits longer for a preview. */
const TIMEOUT_MS = 8_000;

const TIMED_OUT = '57014';

export function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === TIMED_OUT;
}

/**
 * Returns the different commands that chains of a project called since a time. Events are read by the
 * ids of their sessions, which begin with a time, so older partitions aren't touched.
 *
 * @throws an error with `isTimeout` after 8 s
 */
export async function listRanCommands(
  db: TenantDb,
  { projectId, tiers, since, limit }: CommandSearch,
): Promise<RanCommandRow[]> {
  const firstId = idSince(new Date(since.getTime() - SESSION_MS));
  await sqlRows(db)`select set_config('statement_timeout', ${String(TIMEOUT_MS)}, true)`;
  return sqlRows(db)<RanCommandRow>`with attempts as materialized (
        select s.id as session_id, s.number, s.tier, a.id,
          coalesce(a.confinement, 'none') <> 'none' as is_confined
        from session s
        join attempt a on a.organization_id = s.organization_id and a.session_id = s.id
        where s.organization_id = ${db.organizationId}::uuid and s.project_id = ${projectId}::uuid
          and s.id >= ${firstId}::uuid and s.kind = 'tier' and s.tier = any(${[...tiers]}::int[])
      ), lines as (
        select a.tier, null::jsonb as argv, left(e.payload->'input'->>'command', ${MAX_LINE}) as line,
          a.is_confined, a.number, e.seq, e.at
        from attempts a
        join session_event e on e.organization_id = ${db.organizationId}::uuid
          and e.session_id = a.session_id and e.attempt_id = a.id
        where e.session_id >= ${firstId}::uuid and e.kind = 'tool_call' and not e.is_late
          and e.at >= ${since}::timestamptz and e.payload->>'tool' = 'Bash'
          and e.payload->'input'->>'command' is not null
      ), asked as (
        select s.tier, k.argv, null as line, true as is_confined, s.number, e.seq,
          k.requested_at as at
        from command k
        join session s on s.organization_id = k.organization_id and s.id = k.session_id
        join session_event e on e.organization_id = k.organization_id and e.session_id = k.session_id
          and e.attempt_id = k.attempt_id and e.attempt_seq = k.attempt_seq
        where k.organization_id = ${db.organizationId}::uuid and k.project_id = ${projectId}::uuid
          and k.id >= ${idSince(since)}::uuid and k.requested_at >= ${since}::timestamptz
          and e.session_id >= ${firstId}::uuid and s.kind = 'tier' and s.tier = any(${[...tiers]}::int[])
      ), grouped as (
        select tier, argv, line, is_confined, count(*)::int as count,
          max(array[number, seq]) as newest, max(at) as at
        from (select * from lines union all select * from asked) each
        group by tier, argv, line, is_confined
      ), ranked as (
        select *, row_number() over newest_first as place,
          (count(*) over (partition by tier, line is null))::int as commands
        from grouped
        window newest_first as (partition by tier, line is null order by newest desc)
      )
      select r.tier, r.argv, r.line, r.is_confined as "isConfined",
        r.count, r.newest[1] as "sessionNumber", coalesce(c.seq, r.newest[2]) as seq, r.at, r.commands
      from ranked r
      -- The call in which the agent's shell ran it: its row shows the output.
      left join lateral (
        select e.seq from session s
        join session_event e on e.organization_id = s.organization_id and e.session_id = s.id
        where r.argv is not null and s.organization_id = ${db.organizationId}::uuid
          and s.project_id = ${projectId}::uuid and s.number = r.newest[1]
          and e.session_id >= ${firstId}::uuid and e.kind = 'tool_call' and e.seq < r.newest[2]
        order by e.seq desc limit 1
      ) c on true
      where r.place <= ${limit}
      order by r.newest desc`;
}
