import { sql } from 'kysely';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** A report or command in which every pattern was found. */
export interface TextHitRow {
  sessionId: string;
  sessionNumber: number;
  tier: number;
  chainNumber: number | null;
  conversationId: string | null;
  projectSlug: string;
  projectName: string;
  at: Date;
  text: string;
  seq: number | null;
}

interface TextSearch {
  /** LIKE patterns; all of them have to match. */
  patterns: readonly string[];
  /** How many of the newest rows are read. */
  depth: number;
  /** How many of the matches are returned. */
  limit: number;
}

const PLACE = sql`s.id as "sessionId", s.number as "sessionNumber", s.tier,
  c.number as "chainNumber", v.id as "conversationId",
  p.slug as "projectSlug", p.name as "projectName"`;

const AROUND = sql`
  join project p on p.organization_id = s.organization_id and p.id = s.project_id
  left join chain c on c.organization_id = s.organization_id and c.id = s.chain_id
  left join turn t on t.organization_id = s.organization_id and t.session_id = s.id
  left join conversation v on v.organization_id = t.organization_id and v.id = t.conversation_id`;

/** What people took out of a conversation, or deleted with it, isn't found. */
const SHOWN = sql`(s.kind = 'tier' or (t.cut_at is null and v.id is not null and v.deleted_at is null))`;

/**
 * The newest reports that match. It reads sessions from the newest one on and stops at `limit`
 * matches or after `depth` reports: no index on words is of use under row-level security, whose
 * policy has to be asked before an operator that isn't leakproof.
 */
export function searchReports(db: TenantDb, search: TextSearch): Promise<TextHitRow[]> {
  const { patterns, depth, limit } = search;
  return sqlRows(db)<TextHitRow>`
    select ${PLACE}, coalesce(s.ended_at, s.created_at) as at, s.text, null::int as seq
    from (
      select newest.*, words.text from (
        select * from session
        where organization_id = ${db.organizationId}::uuid and report is not null
        order by id desc limit ${depth}
      ) newest
      cross join lateral (
        select concat_ws(E'\n', newest.report->>'summary',
          (select string_agg(concat_ws(' ', finding->>'service', finding->>'message'), E'\n')
            from jsonb_array_elements(case jsonb_typeof(newest.report->'findings')
              when 'array' then newest.report->'findings' else '[]' end) finding),
          newest.report->>'investigation_findings', newest.report->>'remediation_attempted') as text
      ) words
      where words.text ilike all(${[...patterns]}::text[])
      limit ${limit}
    ) s ${AROUND}
    where ${SHOWN}
    order by s.id desc`;
}

/**
 * The newest commands that match. It walks the index on tool calls from the newest one on and
 * stops at `limit` matches or after `depth` commands; what retention deleted isn't found.
 */
export function searchCommands(db: TenantDb, search: TextSearch): Promise<TextHitRow[]> {
  const { patterns, depth, limit } = search;
  return sqlRows(db)<TextHitRow>`
    select ${PLACE}, found.at, found.text, found.seq
    from (
      select newest.session_id, newest.seq, newest.at, newest.payload->'input'->>'command' as text
      from (
        select session_id, seq, at, payload from session_event
        where organization_id = ${db.organizationId}::uuid and kind = 'tool_call'
        order by session_id desc, seq desc limit ${depth}
      ) newest
      where newest.payload->'input'->>'command' ilike all(${[...patterns]}::text[])
      limit ${limit}
    ) found
    join session s on s.organization_id = ${db.organizationId}::uuid and s.id = found.session_id
    ${AROUND}
    where ${SHOWN}
    order by s.id desc, found.seq desc`;
}

/** Chains and sessions of tiers with this number, over all projects. */
export async function findNumbered(db: TenantDb, number: number, limit: number) {
  const shape = {
    select: { number: true, project: { select: { slug: true, name: true } } },
    orderBy: { id: 'desc' },
    take: limit,
  } as const;
  const projects = await db.project.findMany({ select: { id: true } });
  // With the projects named, each is one step in the index on project and number.
  const where = { projectId: { in: projects.map(({ id }) => id) }, number };
  return {
    chains: await db.chain.findMany({ where, ...shape }),
    sessions: await db.session.findMany({ where: { ...where, kind: 'tier' }, ...shape }),
  };
}

/** Services that are watched now, with their projects. */
export function listServicePlaces(db: TenantDb, limit: number) {
  return db.service.findMany({
    where: { removedAt: null },
    select: { name: true, status: true, project: { select: { slug: true, name: true } } },
    orderBy: [{ projectId: 'asc' }, { position: 'asc' }],
    take: limit,
  });
}

/** Runners that aren't revoked, by name. */
export function listRunnerPlaces(db: TenantDb, limit: number) {
  return db.runner.findMany({
    where: { revokedAt: null },
    select: { id: true, name: true, pool: { select: { name: true } } },
    orderBy: { name: 'asc' },
    take: limit,
  });
}
