import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/db/raw';
import type { TenantDb } from '@/lib/db/tenant-db';
import { harnessNameSchema, tierSchema } from '@/lib/runner-protocol/spec';
import { maintenanceSchema } from '../maintenance/schema';

const chainSchema = z
  .object({
    number: z.number(),
    status: z.string(),
    outcome: z.string().nullable(),
    statusText: z.string(),
    highestTier: z.number(),
    createdAt: z.coerce.date(),
    endedAt: z.coerce.date().nullable(),
    acknowledgedBy: z.string().nullable(),
    servicesAffected: z.array(z.string()),
  })
  .nullable();

const projectFactsSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  version: z.number(),
  nextRunAt: z.date().nullable(),
  pausedAt: z.date().nullable(),
  pausedBy: z.string().nullable(),
  pauseReason: z.string().nullable(),
  pauseEndsAt: z.date().nullable(),
  tierPauses: z.array(
    z.object({
      tier: tierSchema,
      at: z.coerce.date(),
      by: z.string(),
      reason: z.string(),
      endsAt: z.coerce.date().nullable(),
    }),
  ),
  /** Every window of the configuration. */
  maintenance: maintenanceSchema,
  harness: harnessNameSchema,
  isDryRun: z.boolean(),
  pool: z.string(),
  dayUsd: z.number().nullable(),
  monthUsd: z.number().nullable(),
  dayMicros: z.coerce.number(),
  monthMicros: z.coerce.number(),
  last24hMicros: z.coerce.number(),
  healthy: z.coerce.number(),
  degraded: z.coerce.number(),
  down: z.coerce.number(),
  unknown: z.coerce.number(),
  lastChain: chainSchema,
  lastVerdict: chainSchema,
});
export type ProjectFactsRow = z.infer<typeof projectFactsSchema>;

const CHAIN = Prisma.sql`json_build_object('number', c.number, 'status', c.status, 'outcome', c.outcome,
  'statusText', c.status_text, 'highestTier', c.highest_tier, 'createdAt', c.created_at, 'endedAt', c.ended_at,
  'acknowledgedBy', c.acknowledged_by, 'servicesAffected', c.services_affected)`;

/**
 * Every project with its state around it, in one query whatever their number. What grows with the
 * history is looked up project by project, since only so its indexes are of use.
 */
export async function listProjectFacts(db: TenantDb, now: Date): Promise<ProjectFactsRow[]> {
  const day = now.toISOString().slice(0, 10);
  const month = `${day.slice(0, 7)}-01`;
  const rows = await queryRaw<unknown>(
    db,
    Prisma.sql`
    select p.id, p.slug, p.name, p.current_version as version, p.next_run_at as "nextRunAt",
      p.paused_at as "pausedAt", p.paused_by as "pausedBy", p.pause_reason as "pauseReason",
      p.pause_ends_at as "pauseEndsAt", coalesce(k.maintenance, '[]') as maintenance, (
        select coalesce(jsonb_agg(jsonb_build_object('tier', t.tier, 'at', t.paused_at, 'by', t.paused_by,
          'reason', t.pause_reason, 'endsAt', t.pause_ends_at) order by t.tier), '[]') from tier_pause t
        where t.organization_id = p.organization_id and t.project_id = p.id) as "tierPauses",
      k.harness, k."dryRun" as "isDryRun", k."runnerPool" as pool,
      (k.budgets->>'dayUsd')::float8 as "dayUsd", (k.budgets->>'monthUsd')::float8 as "monthUsd",
      coalesce(u.day, 0)::text as "dayMicros", coalesce(u.month, 0)::text as "monthMicros",
      coalesce(l.spent, 0)::text as "last24hMicros",
      coalesce(s.healthy, 0)::int as healthy, coalesce(s.degraded, 0)::int as degraded,
      coalesce(s.down, 0)::int as down, coalesce(s.unknown, 0)::int as unknown,
      last.chain as "lastChain", case when last."isVerdict" then last.chain else verdict.chain end as "lastVerdict"
    from project p
    join project_version v on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version
    -- One look into the stored document for all of its fields: each unpacks the whole of it.
    cross join lateral jsonb_to_record(v.config) as k(harness text, "dryRun" boolean, "runnerPool" text, budgets jsonb,
      maintenance jsonb)
    left join lateral (
      select sum(cost_micros) as month, sum(cost_micros) filter (where day = ${day}::date) as day
      from daily_usage d where d.organization_id = p.organization_id and d.project_id = p.id and d.day >= ${month}::date) u on true
    left join lateral (
      select sum(cost_micros) as spent from ledger_entry e
      where e.organization_id = p.organization_id and e.project_id = p.id
        and e.booked_at > ${now}::timestamptz - interval '24 hours') l on true
    left join (
      select project_id, count(*) filter (where status = 'healthy') as healthy,
        count(*) filter (where status = 'degraded') as degraded,
        count(*) filter (where status = 'down') as down, count(*) filter (where status = 'unknown') as unknown
      from service where removed_at is null group by project_id) s on s.project_id = p.id
    left join lateral (
      select ${CHAIN} as chain, c.outcome <> 'stopped' as "isVerdict" from chain c
      where c.organization_id = p.organization_id and c.project_id = p.id
        and c.outcome is distinct from 'skipped' order by c.id desc limit 1) last on true
    -- As a rule the last chain has the last verdict, and nothing more is looked up.
    left join lateral (
      select ${CHAIN} as chain from chain c
      where c.organization_id = p.organization_id and c.project_id = p.id
        and c.outcome not in ('skipped', 'stopped') and last."isVerdict" is not true
      order by c.id desc limit 1) verdict on true`,
  );
  return projectFactsSchema.array().parse(rows);
}

/** Of the organization in scope: the tenant's transaction sees no other. */
export function getOrganizationFacts(db: TenantDb) {
  return db.organization.findFirstOrThrow({
    select: {
      name: true,
      isDemo: true,
      pausedAt: true,
      pausedBy: true,
      pauseReason: true,
      pauseEndsAt: true,
    },
  });
}

/** Runners that still count, with when they were last heard of. */
export function listRunnerFacts(db: TenantDb) {
  return db.runner.findMany({
    where: { revokedAt: null },
    select: {
      id: true,
      name: true,
      lastSeenAt: true,
      drainingAt: true,
      pausedAt: true,
      revokedAt: true,
      pool: { select: { name: true } },
    },
    orderBy: { name: 'asc' },
  });
}

/** How many cycles a service's strip shows. */
export const STRIP_CYCLES = 48;

export function listServiceRows(db: TenantDb, projectId: string) {
  return db.service.findMany({
    where: { projectId, removedAt: null },
    orderBy: { position: 'asc' },
  });
}
export type ServiceRow = Awaited<ReturnType<typeof listServiceRows>>[number];

/** The newest cycles that ran, newest first, with what each found out about the services. */
export function listRecentHealth(db: TenantDb, projectId: string) {
  return db.chain.findMany({
    where: { projectId, OR: [{ outcome: null }, { outcome: { not: 'skipped' } }] },
    orderBy: { id: 'desc' },
    take: STRIP_CYCLES,
    select: {
      number: true,
      createdAt: true,
      endedAt: true,
      health: { select: { serviceId: true, status: true, at: true } },
    },
  });
}
export type RecentHealthRow = Awaited<ReturnType<typeof listRecentHealth>>[number];
