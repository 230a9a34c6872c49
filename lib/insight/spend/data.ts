import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { ASK_TIER } from '@/lib/engine/statuses';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { CostRow } from '../analytics/data';
import { ENDS_WITHOUT_COST, type SpendGroup, type SpendKind } from './schema';

export interface SpendMatch {
  /** UUID. */
  projectId: string | null;
  tier: number | null;
  model: string | null;
  kind: SpendKind | null;
  from: Date;
  to: Date;
}

const groupSchema = z.object({
  key: z.string(),
  entries: z.number(),
  tokens: z.coerce.number(),
  micros: z.coerce.number(),
  estimateMicros: z.coerce.number(),
  /** How many groups there are before the limit. */
  groups: z.number(),
});
export type SpendGroupRow = z.infer<typeof groupSchema>;

/** More groups than this are shown as one. */
const MAX_GROUPS = 200;

const KEYS: Record<SpendGroup, RawBuilder<unknown>> = {
  day: sql`day::text`,
  project: sql`project_id::text`,
  tier: sql`tier::text`,
  model: sql`model`,
  session: sql`coalesce(session_id::text, '')`,
};

const ORDERS: Record<SpendGroup, RawBuilder<unknown>> = {
  day: sql`key desc`,
  project: sql`sum(micros) desc, key`,
  tier: sql`key`,
  model: sql`sum(micros) desc, key`,
  session: sql`sum(micros) desc, key`,
};

/**
 * The ledger, and for projects that were deleted with theirs the sums of their days: those count
 * where the day begins within the span.
 */
function spent(db: TenantDb, match: SpendMatch): RawBuilder<unknown> {
  const { projectId, tier, model, kind } = match;
  const [from, to] = [match.from.toISOString(), match.to.toISOString()];
  const narrowed = sql`organization_id = ${db.organizationId}::uuid
    ${projectId === null ? sql`` : sql`and project_id = ${projectId}::uuid`}
    ${tier === null ? sql`` : sql`and tier = ${tier}`}
    ${model === null ? sql`` : sql`and model = ${model}`}`;
  return sql`
    select (booked_at at time zone 'UTC')::date as day, booked_at as at, project_id, tier, model, session_id, 1 as entries,
      ${IS_OVERHEAD} as is_overhead, input_tokens + output_tokens + cache_read_tokens + cache_write_tokens as tokens,
      cost_micros as micros, case when is_estimate then cost_micros else 0 end as estimate_micros
    from ledger_entry e
    where ${narrowed} and booked_at >= ${from}::timestamptz and booked_at < ${to}::timestamptz
      ${kind === null ? sql`` : sql`and ${IS_OVERHEAD} = ${kind === 'overhead'}`}
    union all
    select day, day::timestamp at time zone 'UTC', project_id, tier, model, null, 0, false, tokens, cost_micros, 0
    from daily_usage d
    where ${narrowed} and day::timestamp at time zone 'UTC' >= ${from}::timestamptz
      and day::timestamp at time zone 'UTC' < ${to}::timestamptz
      ${kind === 'overhead' ? sql`and false` : sql``}
      and not exists (select from project p where p.organization_id = d.organization_id and p.id = d.project_id)`;
}

/** As the plot of costs judges it; of deleted projects only the tier is known. */
const IS_OVERHEAD = sql`(
  select a.purpose = 'reconcile' or a.end_kind is distinct from 'completed'
  from attempt a where a.organization_id = e.organization_id and a.id = e.attempt_id)`;

const SUMS = sql`sum(entries)::int as entries, sum(tokens)::text as tokens, sum(micros)::text as micros,
  sum(estimate_micros)::text as "estimateMicros"`;

/** At most MAX_GROUPS; of days the newest, of others those that cost most. */
export async function listSpendGroups(
  db: TenantDb,
  match: SpendMatch,
  by: SpendGroup,
): Promise<SpendGroupRow[]> {
  const rows = await sqlRows(db)`
    select ${KEYS[by]} as key, ${SUMS}, (count(*) over ())::int as groups
    from (${spent(db, match)}) as spent
    group by 1 order by ${ORDERS[by]} limit ${MAX_GROUPS}`;
  return groupSchema.array().parse(rows);
}

const columnSchema = z.object({
  bucket: z.number(),
  tier: z.number(),
  isOverhead: z.boolean(),
  micros: z.coerce.number(),
  estimateMicros: z.coerce.number(),
});

/**
 * The same rows as the table sums, by column of a plot, tier, and whether they are overhead.
 *
 * @param starts of the columns, oldest first; what lies before the first counts to it
 */
export async function sumSpendColumns(
  db: TenantDb,
  match: SpendMatch,
  starts: readonly Date[],
): Promise<CostRow[]> {
  const moments = starts.map((start) => start.toISOString());
  const rows = await sqlRows(db)`
    select greatest(0, width_bucket(at, ${moments}::timestamptz[]) - 1) as bucket, tier,
      is_overhead as "isOverhead", sum(micros)::text as micros, sum(estimate_micros)::text as "estimateMicros"
    from (${spent(db, match)}) as spent
    group by 1, 2, 3`;
  return columnSchema.array().parse(rows);
}

const sumsSchema = groupSchema.omit({ key: true, groups: true });

/** Over the whole match. */
export async function sumSpend(db: TenantDb, match: SpendMatch) {
  const [row] = await sqlRows(db)`
    select coalesce(sum(entries), 0)::int as entries, coalesce(sum(tokens), 0)::text as tokens,
      coalesce(sum(micros), 0)::text as micros, coalesce(sum(estimate_micros), 0)::text as "estimateMicros"
    from (${spent(db, match)}) as spent`;
  return sumsSchema.parse(row);
}

const missingSchema = z.object({ end: z.string(), count: z.number() });

/** Processes that ended in the span after a model may have answered, and have no row in the ledger. */
export async function countMissingUsage(db: TenantDb, match: SpendMatch) {
  const { projectId, tier, kind, from, to } = match;
  // Such a process brought no tier forward.
  if (kind === 'work') return [];
  const rows = await sqlRows(db)`
    select a.end_kind as end, count(*)::int as count
    from attempt a
    join session s on s.organization_id = a.organization_id and s.id = a.session_id
    where a.organization_id = ${db.organizationId}::uuid
      ${projectId === null ? sql`` : sql`and a.project_id = ${projectId}::uuid`}
      ${tier === null ? sql`` : sql`and case s.kind when 'ask' then ${ASK_TIER} else s.tier end = ${tier}`}
      and a.started_at >= ${from.toISOString()}::timestamptz and a.started_at < ${to.toISOString()}::timestamptz
      and a.settled_at is not null and a.end_kind <> all(${[...ENDS_WITHOUT_COST]}::text[])
      and not exists (select from ledger_entry e where e.organization_id = a.organization_id and e.attempt_id = a.id)
    group by 1 order by 2 desc, 1`;
  return missingSchema.array().parse(rows);
}

/** Every model that was ever booked, of projects that are gone too. */
export async function listModels(db: TenantDb): Promise<string[]> {
  const rows = await db.dailyUsage.groupBy({ by: ['model'], orderBy: { model: 'asc' }, take: 100 });
  return rows.map((row) => row.model);
}

/** Names behind the keys of groups. */
export function listProjectNames(db: TenantDb, ids: readonly string[]) {
  return db.project.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, slug: true, name: true },
  });
}

const deletedSchema = z.object({ projectId: z.string(), name: z.string(), deletedAt: z.date() });

/** Projects that are gone, under the name they had. */
export async function listDeletedNames(db: TenantDb, ids: readonly string[]) {
  const rows = await sqlRows(db)`select project_id as "projectId", name, deleted_at as "deletedAt"
      from deleted_project where project_id = any(${[...ids]}::uuid[])`;
  return deletedSchema.array().parse(rows);
}

export function listSessionNames(db: TenantDb, ids: readonly string[]) {
  return db.session.findMany({
    where: { id: { in: [...ids] } },
    select: {
      id: true,
      number: true,
      tier: true,
      project: { select: { slug: true, name: true } },
      turn: { select: { conversation: { select: { deletedAt: true } } } },
    },
  });
}

const daySchema = z.object({ day: z.string(), micros: z.coerce.number() });

/** Sums by UTC day from the rollup, oldest first; days without any are left out. */
export async function listDaySums(
  db: TenantDb,
  { projectId }: Pick<SpendMatch, 'projectId'>,
  since: Date,
) {
  const rows = await sqlRows(db)`
    select day::text as day, sum(cost_micros)::text as micros from daily_usage
    where organization_id = ${db.organizationId}::uuid and day >= ${since.toISOString()}::timestamptz::date
      ${projectId === null ? sql`` : sql`and project_id = ${projectId}::uuid`}
    group by 1 order by 1`;
  return daySchema.array().parse(rows);
}

const checkedSchema = z.object({ hours: z.number(), quiet: z.number() });

/** Returns the hours in which checks of a project reported, and those of them in which no chain started. */
export async function countCheckedHours(
  db: TenantDb,
  match: Pick<SpendMatch, 'from' | 'to'> & { projectId: string },
) {
  const { projectId, from, to } = match;
  const [row] = await sqlRows(db)`select count(*)::int as hours, count(*) filter (where not exists (
        select from chain where organization_id = ${db.organizationId}::uuid and project_id = ${projectId}::uuid
          and created_at >= hour and created_at < hour + interval '1 hour'
          and outcome is distinct from 'skipped'))::int as quiet
      from (
        select distinct h.hour from service_check c
        join check_hour h on h.organization_id = c.organization_id and h.check_id = c.id
        where c.organization_id = ${db.organizationId}::uuid and c.project_id = ${projectId}::uuid
          and h.hour >= ${from}::timestamptz and h.hour < ${to}::timestamptz) hours`;
  return checkedSchema.parse(row);
}
