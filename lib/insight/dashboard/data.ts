import { sql } from 'kysely';
import { INCIDENT_STATES } from '@/lib/incidents/states';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type ProjectRow, projectRowSchema } from './rows';
import { OUTAGE_CHAINS } from './schema';

const CHAIN = sql`json_build_object('id', c.id, 'number', c.number, 'status', c.status, 'outcome', c.outcome,
  'outcomeReason', c.outcome_reason, 'statusText', c.status_text, 'highestTier', c.highest_tier, 'createdAt', c.created_at, 'endedAt', c.ended_at,
  'acknowledgedBy', c.acknowledged_by, 'servicesAffected', c.services_affected, 'incidentState', (
    select i.state from incident_chain ic join incident i on i.organization_id = ic.organization_id and i.id = ic.incident_id
    where ic.organization_id = c.organization_id and ic.chain_id = c.id
    order by i.merged_into_id is not null, i.id desc limit 1))`;

/** Chains that are looked through for the acknowledgement of an outage. */
const ACKNOWLEDGED_AMONG = 200;

/** Only evaluated for services that fail: both look-ups walk an index from its newest end. */
const failing = (
  now: Date,
) => sql`jsonb_build_object('name', v.name, 'status', v.status, 'statusSince', v.status_since,
  'failingSince', v.failing_since, 'error', v.last_error, 'snoozedUntil', v.snoozed_until, 'snoozedBy', v.snoozed_by,
  'chains', (select count(*) from (
    select at from service_health h where h.organization_id = v.organization_id and h.service_id = v.id
    order by chain_id desc limit ${OUTAGE_CHAINS}) newest
    where newest.at >= coalesce(v.failing_since, v.status_since)),
  'acknowledged', coalesce((
    select jsonb_build_object('by', i.acknowledged_by, 'chainNumber', null, 'incidentNumber', i.number)
    from incident_service x join incident i on i.organization_id = x.organization_id and i.id = x.incident_id
    where x.organization_id = v.organization_id and x.service_id = v.id and i.state = 'acknowledged'
    order by i.id desc limit 1), (
    select jsonb_build_object('by', k.acknowledged_by, 'chainNumber', k.number, 'incidentNumber', null) from (
    select * from chain c where c.organization_id = v.organization_id and c.project_id = v.project_id
    order by id desc limit ${ACKNOWLEDGED_AMONG}) k
    where k.acknowledged_at >= coalesce(v.failing_since, v.status_since) and v.name = any(k.services_affected)
      and (k.acknowledgement_ends_at is null or k.acknowledgement_ends_at > ${now}::timestamptz)
    order by k.id desc limit 1)))`;

/**
 * Every project with its state around it, in one query whatever their number. What was spent is
 * summed over all projects at once; only the last chains are looked up project by project, since
 * each is one step in an index, however long the history is.
 */
export async function listProjectFacts(db: TenantDb, now: Date): Promise<ProjectRow[]> {
  const day = now.toISOString().slice(0, 10);
  const month = `${day.slice(0, 7)}-01`;
  const rows = await sqlRows(db)`
    select p.id, p.slug, p.name, p.current_version as version, p.next_run_at as "nextRunAt",
      case when p.next_run_at is null then v.config->'schedule'->>'kind' <> 'manual' else false end as "hasLostSchedule",
      p.paused_at as "pausedAt", p.paused_by as "pausedBy", p.pause_reason as "pauseReason",
      p.pause_ends_at as "pauseEndsAt", v.maintenance, coalesce(t.pauses, '[]') as "tierPauses",
      v.harness, v.is_dry_run as "isDryRun", v.runner_pool as pool, v.has_leaking_rules as "hasLeakingRules", day.value as "dayUsd", month.value as "monthUsd",
      coalesce(k.is_on, false) as "isMonitored", coalesce(k.needs_runner, true) as "needsRunner",
      k.runner_id as "checkerId", incident.facts as incident,
      coalesce(u.day, 0)::float8 as "dayMicros", coalesce(m.cost_micros, 0)::float8 as "monthMicros",
      coalesce(l.spent, 0)::float8 as "last24hMicros",
      coalesce(s.healthy, 0)::int as healthy, coalesce(s.degraded, 0)::int as degraded,
      coalesce(s.down, 0)::int as down, coalesce(s.unknown, 0)::int as unknown,
      s."onlyService", coalesce(s.failing, '[]') as failing,
      last.chain as "lastChain", verdict.chain as "earlierVerdict"
    from project p
    join project_version v on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version
    left join threshold day on day.organization_id = v.organization_id and day.project_id = v.project_id
      and day.version = v.version and day.scope = 'project' and day.name = 'dayUsd'
    left join threshold month on month.organization_id = v.organization_id and month.project_id = v.project_id
      and month.version = v.version and month.scope = 'project' and month.name = 'monthUsd'
    left join (
      select project_id, jsonb_agg(jsonb_build_object('tier', tier, 'at', paused_at, 'by', paused_by,
        'reason', pause_reason, 'endsAt', pause_ends_at) order by tier) as pauses
      from tier_pause group by project_id) t on t.project_id = p.id
    left join checker k on k.organization_id = p.organization_id and k.project_id = p.id
    left join lateral (
      select jsonb_build_object('number', i.number, 'state', i.state, 'needsHumanSince', i.needs_human_since,
        'acknowledgedBy', i.acknowledged_by, 'isSnoozed', snoozed.is_whole) as facts
      from incident i
      cross join lateral (
        select coalesce(bool_and(coalesce(w.snoozed_until > ${now}::timestamptz, false)), false) as is_whole
        from incident_service x
        join service w on w.organization_id = x.organization_id and w.id = x.service_id
        where x.organization_id = i.organization_id and x.incident_id = i.id and x.removed_at is null
          and x.status <> 'healthy') snoozed
      where i.organization_id = p.organization_id and i.project_id = p.id and i.state <> 'resolved'
      order by i.state = 'open' and i.needs_human_since is not null and not snoozed.is_whole desc,
        array_position(${[...INCIDENT_STATES]}::text[], i.state), i.id desc limit 1) incident on true
    left join monthly_usage m on m.organization_id = p.organization_id and m.project_id = p.id and m.month = ${month}::date
    left join (
      select project_id, sum(cost_micros) as day from daily_usage where day = ${day}::date group by project_id
    ) u on u.project_id = p.id
    left join (
      select project_id, sum(cost_micros) as spent from ledger_entry
      where booked_at > ${now}::timestamptz - interval '24 hours' group by project_id) l on l.project_id = p.id
    left join (
      select project_id, count(*) filter (where status = 'healthy') as healthy,
        count(*) filter (where status = 'degraded') as degraded,
        count(*) filter (where status = 'down') as down, count(*) filter (where status = 'unknown') as unknown,
        case when count(*) = 1 then min(name) end as "onlyService",
        jsonb_agg(${failing(now)} order by v.position) filter (where status in ('down', 'degraded')) as failing
      from service v where removed_at is null group by project_id) s on s.project_id = p.id
    left join lateral (
      select ${CHAIN} as chain, c.outcome <> 'stopped' as "isVerdict" from chain c
      where c.organization_id = p.organization_id and c.project_id = p.id
        and c.outcome is distinct from 'skipped' order by c.id desc limit 1) last on true
    -- As a rule the last chain has the last verdict, and nothing more is looked up.
    left join lateral (
      select ${CHAIN} as chain from chain c
      where c.organization_id = p.organization_id and c.project_id = p.id
        and c.outcome not in ('skipped', 'stopped') and last."isVerdict" is not true
      order by c.id desc limit 1) verdict on true`;
  return projectRowSchema.array().parse(rows);
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

/** Runners that still count, with their last contact. */
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

/** How many chains a service's strip shows. */
const STRIP_CHAINS = 48;

export function listServiceRows(db: TenantDb, projectId: string) {
  return db.service.findMany({
    where: { projectId, removedAt: null },
    orderBy: { position: 'asc' },
  });
}
export type ServiceRow = Awaited<ReturnType<typeof listServiceRows>>[number];

/** The newest chains that ran, newest first, with what each found out about the services. */
export function listRecentHealth(db: TenantDb, projectId: string) {
  return db.chain.findMany({
    where: { projectId, OR: [{ outcome: null }, { outcome: { not: 'skipped' } }] },
    orderBy: { id: 'desc' },
    take: STRIP_CHAINS,
    select: {
      number: true,
      createdAt: true,
      endedAt: true,
      highestTier: true,
      health: {
        select: {
          serviceId: true,
          status: true,
          statusBefore: true,
          statusWorst: true,
          responseTimeMs: true,
          at: true,
        },
      },
    },
  });
}
export type RecentHealthRow = Awaited<ReturnType<typeof listRecentHealth>>[number];
