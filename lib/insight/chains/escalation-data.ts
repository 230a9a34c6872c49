import { sql } from 'kysely';
import { z } from 'zod';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';

const count = z.coerce.number();
const requestSchema = z.object({ input: count, read: count, write: count, output: count });

const usageRowSchema = z.object({
  sessionId: z.string(),
  harness: z.string().nullable(),
  /** Events were recorded, and are there no more. */
  isDeleted: z.boolean(),
  hasCompacted: z.boolean(),
  model: z.string().nullable(),
  requests: count,
  outputTokens: count,
  first: requestSchema.nullable(),
  last: requestSchema.nullable(),
});
export type WorkUsageRow = z.infer<typeof usageRowSchema>;

/** SQL of each session with the process that worked last, which is the one that a child resumes. */
const lastWork = (db: TenantDb, sessionIds: readonly string[]) => sql`
  select s.id, s.last_seq, v.harness, w.attempt_id
  from session s
  left join project_version v on v.organization_id = s.organization_id
    and v.project_id = s.project_id and v.version = s.project_version
  left join lateral (
    select e.attempt_id from session_event e
    where e.organization_id = s.organization_id and e.session_id = s.id and not e.is_late
      and e.kind in ('request_usage', 'tool_call') and e.attempt_id is not null
    order by e.seq desc limit 1) w on true
  where s.organization_id = ${db.organizationId}::uuid and s.id = any(${[...sessionIds]}::uuid[])`;

/** One row a session: what its last process's requests read and wrote, sub-agents left out. */
export async function listWorkUsage(
  db: TenantDb,
  sessionIds: readonly string[],
): Promise<WorkUsageRow[]> {
  const rows = await sqlRows(db)`
    with work as (${lastWork(db, sessionIds)}),
    used as (
      -- A request is reported again as its answer grows: the last report counts.
      select distinct on (e.session_id, e.payload->>'messageId') e.session_id, e.seq, e.payload->>'model' as model,
        (e.payload->>'outputTokens')::bigint as output, jsonb_build_object('input', e.payload->'inputTokens',
          'read', e.payload->'cacheReadTokens', 'write', e.payload->'cacheWriteTokens', 'output', e.payload->'outputTokens') as tokens
      from work w
      join session_event e on e.organization_id = ${db.organizationId}::uuid and e.session_id = w.id
        and e.attempt_id = w.attempt_id
      where e.kind = 'request_usage' and not e.is_late and e.payload->>'parentToolUseId' is null
        and e.payload->'outOfRange' is null
      order by e.session_id, e.payload->>'messageId', e.seq desc),
    summed as (
      select session_id, count(*) as requests, sum(output) as output, (array_agg(model order by seq))[1] as model,
        (array_agg(tokens order by seq))[1] as first, (array_agg(tokens order by seq desc))[1] as last
      from used group by session_id)
    select w.id as "sessionId", w.harness, u.model, coalesce(u.requests, 0)::int as requests,
      coalesce(u.output - (u.last->>'output')::bigint, 0)::text as "outputTokens", u.first, u.last,
      w.last_seq > 0 and not exists (
        select from session_event e where e.organization_id = ${db.organizationId}::uuid and e.session_id = w.id) as "isDeleted",
      exists (
        select from session_event e where e.organization_id = ${db.organizationId}::uuid and e.session_id = w.id
          and e.attempt_id = w.attempt_id and e.kind = 'compaction') as "hasCompacted"
    from work w left join summed u on u.session_id = w.id`;
  return usageRowSchema.array().parse(rows);
}

const callRowSchema = z.object({
  sessionId: z.string(),
  seq: z.number(),
  tool: z.string(),
  input: z.record(z.string(), z.unknown()).catch({}),
  harness: z.string().nullable(),
  isConfined: z.boolean(),
});
export type WorkCallRow = z.infer<typeof callRowSchema>;

/** More calls than these are too many to compare on a page. */
export const MAX_COMPARED_CALLS = 10_000;
const MAX_INPUT_CHARS = 2_000;

/** Tool calls of each session's last process that weren't denied, in order; long inputs are cut. */
export async function listWorkCalls(
  db: TenantDb,
  sessionIds: readonly string[],
): Promise<WorkCallRow[]> {
  const rows = await sqlRows(db)`
    with work as (${lastWork(db, sessionIds)}),
    events as (
      select e.session_id, e.seq, e.kind, e.payload, w.harness,
        coalesce(a.confinement, 'none') <> 'none' as is_confined
      from work w
      join attempt a on a.organization_id = ${db.organizationId}::uuid and a.id = w.attempt_id
      join session_event e on e.organization_id = ${db.organizationId}::uuid and e.session_id = w.id
        and e.attempt_id = w.attempt_id
      where e.kind in ('tool_call', 'tool_result') and not e.is_late)
    select c.session_id as "sessionId", c.seq, c.payload->>'tool' as tool, c.harness, c.is_confined as "isConfined",
      case when pg_column_size(c.payload->'input') < ${MAX_INPUT_CHARS} then c.payload->'input'
        else jsonb_build_object('command', left((c.payload->'input')::text, ${MAX_INPUT_CHARS})) end as input
    from events c
    where c.kind = 'tool_call' and not exists (
      select from events r where r.kind = 'tool_result' and r.session_id = c.session_id
        and r.payload->>'toolUseId' = c.payload->>'toolUseId' and (r.payload->>'denied')::boolean)
    order by c.session_id, c.seq
    limit ${MAX_COMPARED_CALLS + 1}`;
  return callRowSchema.array().parse(rows);
}

/** What a comparison needs of the sessions of chains. */
export function listComparedSessions(db: TenantDb, chainIds: readonly string[]) {
  return db.session.findMany({
    where: { chainId: { in: [...chainIds] }, kind: 'tier' },
    orderBy: { number: 'asc' },
    select: { id: true, parentSessionId: true, mechanism: true },
  });
}
export type ComparedSession = Awaited<ReturnType<typeof listComparedSessions>>[number];

export function listComparedHandoffs(db: TenantDb, chainIds: readonly string[]) {
  return db.handoff.findMany({
    where: { chainId: { in: [...chainIds] } },
    select: { sessionId: true, payload: true },
  });
}
export type ComparedHandoff = Awaited<ReturnType<typeof listComparedHandoffs>>[number];

/** Chains with an escalation to a session created in the span, newest first. */
export async function listEscalatedChains(
  db: TenantDb,
  span: { from: Date; to: Date; projectId: string | null },
  limit: number,
): Promise<string[]> {
  const rows = await db.session.groupBy({
    by: ['chainId'],
    where: {
      kind: 'tier',
      parentSessionId: { not: null },
      mechanism: { in: ['resume', 'handoff'] },
      id: { gte: idSince(span.from) },
      createdAt: { gte: span.from, lt: span.to },
      chainId: { not: null },
      ...(span.projectId ? { projectId: span.projectId } : {}),
    },
    orderBy: { chainId: 'desc' },
    take: limit,
  });
  return rows.flatMap((row) => row.chainId ?? []);
}
