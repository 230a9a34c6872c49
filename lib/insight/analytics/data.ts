import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { chainOutcomeSchema } from '@/lib/engine/statuses';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';
import type { PlotFrame } from './frame';

/** The frame of a page's plots as pieces of SQL. */
interface FrameSql {
  organization: RawBuilder<unknown>;
  from: RawBuilder<unknown>;
  to: RawBuilder<unknown>;
  /** Below the ids of all rows created in the frame: the bound that an index of ids can use. */
  fromId: RawBuilder<unknown>;
  starts: RawBuilder<unknown>;
  ends: RawBuilder<unknown>;
  /** The number of the bucket that a moment lies in, from 0; -1 before the first. */
  bucketOf: (moment: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** `and …` where one project is asked for, else nothing. */
  andProject: (column: RawBuilder<unknown>) => RawBuilder<unknown>;
}

export function frameSql({ organizationId, projectId, buckets }: PlotFrame): FrameSql {
  const from = buckets[0]?.startAt ?? new Date(0);
  const to = buckets.at(-1)?.endAt ?? from;
  const starts = buckets.map((bucket) => bucket.startAt.toISOString());
  const ends = buckets.map((bucket) => bucket.endAt.toISOString());
  return {
    organization: sql`${organizationId}::uuid`,
    from: sql`${from.toISOString()}::timestamptz`,
    to: sql`${to.toISOString()}::timestamptz`,
    fromId: sql`${idSince(from)}::uuid`,
    starts: sql`${starts}::timestamptz[]`,
    ends: sql`${ends}::timestamptz[]`,
    // The same boundaries as in the page, so that a clock change cannot part the two.
    bucketOf: (moment) => sql`(width_bucket(${moment}, ${starts}::timestamptz[]) - 1)`,
    andProject: (column) => (projectId === null ? sql`` : sql`and ${column} = ${projectId}::uuid`),
  };
}

const rowSchema = z.object({
  bucket: z.number(),
  tier: z.number(),
  isOverhead: z.boolean(),
  micros: z.coerce.number(),
  estimateMicros: z.coerce.number(),
});
export type CostRow = z.infer<typeof rowSchema>;

/**
 * The ledger by booking time and tier. Overhead is what brought no tier forward: checks of what
 * stands after a loss, and attempts that ended without their report.
 */
export async function sumCosts(db: TenantDb, frame: PlotFrame): Promise<CostRow[]> {
  const within = frameSql(frame);
  const rows = await sqlRows(db)`
    select ${within.bucketOf(sql`e.booked_at`)} as bucket, e.tier,
      (a.purpose = 'reconcile' or a.end_kind is distinct from 'completed') as "isOverhead",
      sum(e.cost_micros)::text as micros,
      coalesce(sum(e.cost_micros) filter (where e.is_estimate), 0)::text as "estimateMicros"
    from ledger_entry e
    join attempt a on a.organization_id = e.organization_id and a.id = e.attempt_id
    where e.organization_id = ${within.organization} ${within.andProject(sql`e.project_id`)}
      and e.booked_at >= ${within.from} and e.booked_at < ${within.to}
    group by 1, 2, 3`;
  return rowSchema.array().parse(rows);
}

const hopsRowSchema = z.object({
  bucket: z.number(),
  mechanism: z.enum(['resume', 'handoff']),
  isFallback: z.boolean(),
  reason: z.string(),
  hops: z.number(),
});
export type HopRow = z.infer<typeof hopsRowSchema>;

/** Sessions that followed another one, by how they started and why. */
export async function countHops(db: TenantDb, frame: PlotFrame): Promise<HopRow[]> {
  const within = frameSql(frame);
  const rows = await sqlRows(db)`
    select ${within.bucketOf(sql`s.created_at`)} as bucket, s.mechanism, s.is_fallback as "isFallback",
      coalesce(d.reason, '') as reason, count(*)::int as hops
    from session s
    left join lateral (
      -- The decision that led to how it started in the end: a fallback has one for each try.
      select reason from decision
      where organization_id = s.organization_id and session_id = s.id and kind = 'continuation'
        and verdict = s.mechanism
      order by id desc limit 1) d on true
    where s.organization_id = ${within.organization} ${within.andProject(sql`s.project_id`)}
      and s.parent_session_id is not null and s.kind = 'tier' and s.mechanism in ('resume', 'handoff')
      and s.id >= ${within.fromId} and s.created_at >= ${within.from} and s.created_at < ${within.to}
    group by 1, 2, 3, 4`;
  return hopsRowSchema.array().parse(rows);
}

const outcomesRowSchema = z.object({
  bucket: z.number(),
  outcome: chainOutcomeSchema,
  startTier: z.number(),
  highestTier: z.number(),
  chains: z.number(),
});
export type ChainCountRow = z.infer<typeof outcomesRowSchema>;

/** Ended chains by when they were started: what outcomes and escalation rate are counted from. */
export async function countChains(db: TenantDb, frame: PlotFrame): Promise<ChainCountRow[]> {
  const within = frameSql(frame);
  const rows = await sqlRows(db)`
    select ${within.bucketOf(sql`created_at`)} as bucket, outcome, start_tier as "startTier",
      highest_tier as "highestTier", count(*)::int as chains
    from chain
    where organization_id = ${within.organization} ${within.andProject(sql`project_id`)}
      and id >= ${within.fromId} and created_at >= ${within.from} and created_at < ${within.to}
      and outcome is not null
    group by 1, 2, 3, 4`;
  return outcomesRowSchema.array().parse(rows);
}

/** When the oldest chain of a project, or of the organization, was created; null without any. */
export async function findFirstChainAt(
  db: TenantDb,
  projectId: string | null,
): Promise<Date | null> {
  const row = await db.chain.findFirst({
    where: projectId ? { projectId } : {},
    orderBy: { id: 'asc' },
    select: { createdAt: true },
  });
  return row?.createdAt ?? null;
}
