import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type ChainFacts, chainFactsSchema, type IncidentFacts, incidentRowSchema } from './facts';
import { SAME_FAULT_MS } from './judge-fixes';

/** Returns when the last service had recovered, or the last alert had ended, before an event. */
function recoveryBefore(
  incidentId: RawBuilder<unknown>,
  sequence: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select r.at from incident_event r
    where r.organization_id = app.organization_id() and r.incident_id = ${incidentId} and r.sequence < ${sequence}
      and r.kind in ('service_recovered', 'alert_ended')
    order by r.sequence desc limit 1)`;
}

/**
 * Returns up to `take` incidents that were opened in a span, the newest first, with what is back. What was merged
 * into one happened in that one. `projectId` is a UUID. Five queries, each of which finds its rows by an index.
 */
export async function listIncidentFacts(
  db: TenantDb,
  span: { projectId: string | null; from: Date; to: Date },
  take: number,
): Promise<IncidentFacts[]> {
  const { projectId, from, to } = span;
  const rows = await sqlRows(db)`
    select i.id, i.state, i.resolution, i.started_at as "startedAt", i.opened_at as "openedAt",
      i.verifying_since as "verifyingSince", i.resolved_at as "resolvedAt", i.fix_chain_id as "fixChainId",
      exists (
        select from incident_service s where s.organization_id = i.organization_id and s.incident_id = i.id
          and s.removed_at = i.verifying_since) as "isWellByRemoval",
      (select coalesce(jsonb_agg(jsonb_build_object('serviceId', service_id, 'name', name) order by name), '[]') from (
        select s.service_id::text, s.name from incident_service s
        where s.organization_id = i.organization_id and s.incident_id = i.id
        union
        select a ->> 'serviceId', a ->> 'name' from jsonb_array_elements(i.alerts -> 'services') a
        where not exists (select from incident_service s where s.organization_id = i.organization_id
          and s.incident_id = i.id and s.service_id = (a ->> 'serviceId')::uuid)) service) as services,
      array(select c.chain_id::text from incident_chain c
        where c.organization_id = i.organization_id and c.incident_id = i.id order by c.at) as "chainIds"
    from (
      select * from incident
      where organization_id = ${db.organizationId}::uuid ${projectId ? sql`and project_id = ${projectId}::uuid` : sql``}
        and opened_at >= ${from}::timestamptz and opened_at < ${to}::timestamptz
      order by opened_at desc limit ${take}) i
    order by i.opened_at desc`;
  const incidents = incidentRowSchema.array().parse(rows);
  const parts = await listParts(db, incidents);
  const firsts = byKey(await listFirsts(db, parts), ({ rootId }) => rootId);
  const ended = incidents.map((incident) => {
    const { id, openedAt } = incident;
    const own = firsts.get(id) ?? [];
    return {
      ...incident,
      openedAt: earliest([openedAt, ...own.map((part) => part.openedAt)]) ?? openedAt,
      acknowledgedAt: earliest(own.map(({ acknowledgedAt }) => acknowledgedAt)),
      endedAt: earliest(own.map(({ endedAt }) => endedAt)),
    };
  });
  const fixes = await listReportedFixes(db, parts);
  const ends = ended.flatMap(({ id, endedAt }) => (endedAt ? [{ id, at: endedAt }] : []));
  const recoveries = fixes.flatMap(({ incidentId, settledBy, recoveredAt }) =>
    settledBy === 'verified' && recoveredAt ? [{ id: incidentId, at: recoveredAt }] : [],
  );
  const back = await listBack(db, [...ends, ...recoveries]);
  const backOf = (id: string, at: Date | null) => (at && back.get(momentKey(id, at))) ?? [];
  const fixesOf = byKey(fixes, ({ incidentId }) => incidentId);
  return ended.map((incident) => {
    const { id, endedAt } = incident;
    const found = backOf(id, endedAt);
    return {
      ...incident,
      isBack: found.length > 0,
      backServiceIds: found.filter((serviceId) => serviceId !== null),
      fixes: (fixesOf.get(id) ?? []).map((fix) => {
        const isBack = fix.settledBy === 'verified' && backOf(id, fix.recoveredAt).length > 0;
        return { ...fix, isBack };
      }),
    };
  });
}

function earliest(times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime());
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}

function byKey<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const own = found.get(keyOf(row));
    if (own) own.push(row);
    else found.set(keyOf(row), [row]);
  }
  return found;
}

/** An incident, or one that was merged into it, directly or by another one. */
interface Part {
  rootId: string;
  id: string;
}

const partSchema = z.object({ rootId: z.string(), id: z.string() });

/** Returns the incidents that weren't merged into another one, each with what was merged into it. */
async function listParts(
  db: TenantDb,
  incidents: readonly { id: string; resolution: string | null }[],
): Promise<Part[]> {
  const roots = incidents.filter(({ resolution }) => resolution !== 'merged');
  if (roots.length === 0) return [];
  const rows = await sqlRows(db)`
    with recursive part as (
      select id as root_id, id from unnest(${idsOf(roots)}::uuid[]) as root(id)
      union
      select part.root_id, i.id from part
      join incident i on i.organization_id = ${db.organizationId}::uuid and i.merged_into_id = part.id)
    select root_id as "rootId", id from part`;
  return partSchema.array().parse(rows);
}

const firstSchema = partSchema.extend({
  openedAt: z.date(),
  acknowledgedAt: z.date().nullable(),
  endedAt: z.date().nullable(),
});

/** SQL of the events that figures are made of, which have an index. */
const FIGURE_EVENT = sql`e.kind in ('acknowledged', 'chain_ended', 'verified', 'resolved')`;

/** Returns the first acknowledgement and the first end of each part. */
async function listFirsts(db: TenantDb, parts: readonly Part[]) {
  if (parts.length === 0) return [];
  const rows = await sqlRows(db)`
    select part.root_id as "rootId", part.id, i.opened_at as "openedAt",
      (select e.at from incident_event e
        where e.organization_id = i.organization_id and e.incident_id = i.id and ${FIGURE_EVENT} and e.kind = 'acknowledged'
        order by e.sequence limit 1) as "acknowledgedAt",
      case first_end.kind
        when 'verified' then coalesce(${recoveryBefore(sql`i.id`, sql`first_end.sequence`)}, first_end.at)
        else first_end.at end as "endedAt"
    from ${partsTable(parts)}
    join incident i on i.organization_id = ${db.organizationId}::uuid and i.id = part.id
    left join lateral (
      select e.kind, e.at, e.sequence from incident_event e
      where e.organization_id = i.organization_id and e.incident_id = i.id and ${FIGURE_EVENT}
        and e.kind in ('verified', 'resolved')
      order by e.sequence limit 1) first_end on true`;
  return firstSchema.array().parse(rows);
}

function partsTable(parts: readonly Part[]): RawBuilder<unknown> {
  const [roots, ids] = [parts.map(({ rootId }) => rootId), parts.map(({ id }) => id)];
  return sql`unnest(${roots}::uuid[], ${ids}::uuid[]) as part(root_id, id)`;
}

const fixSchema = z.object({
  incidentId: z.string(),
  chainId: z.string(),
  settledBy: z.string().nullable(),
  settledAt: z.date().nullable(),
  recoveredAt: z.date().nullable(),
});

/** Returns whether a service fails before the event `e`. */
function isFailingBefore(serviceId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((
    select p.kind = 'service_failing' from incident_event p
    where p.organization_id = e.organization_id and p.incident_id = e.incident_id and p.sequence < e.sequence
      and p.service_id = ${serviceId} and p.kind in ('service_failing', 'service_recovered')
    order by p.sequence desc limit 1), false)`;
}

/** SQL: whether the event `e` says something about a fix that was reported by the event `f`. */
const SETTLES = sql`(
  e.kind in ('verified', 'resolved', 'alerts_quiet', 'look_refused')
  or (e.kind = 'needs_human' and e.event -> 'unproven' is null)
  or (e.kind = 'chain_started' and e.event ->> 'chainId' <> f.event ->> 'chainId')
  or (e.kind = 'service_failing' and coalesce((e.event ->> 'failingSince')::timestamptz, e.at) > f.at
    and not ${isFailingBefore(sql`e.service_id`)})
  or (e.kind = 'alert_firing' and (e.event ->> 'newestAt')::timestamptz > greatest(f.at,
      coalesce(${recoveryBefore(sql`e.incident_id`, sql`e.sequence`)}, 'infinity'))
    and not exists (
      select from incident_service s
      where s.organization_id = e.organization_id and s.incident_id = e.incident_id
        and ${isFailingBefore(sql`s.service_id`)})))`;

/**
 * Returns the fixes that chains reported, each with the first later event that says something about it. A service
 * that still fails may look different until the fix takes effect, such as by a restart, and one that had begun to
 * fail before only joined. That a person is needed because checks give no proof says nothing either, and an alert
 * says something only once everything was well, and if it began after that.
 */
async function listReportedFixes(db: TenantDb, parts: readonly Part[]) {
  if (parts.length === 0) return [];
  const rows = await sqlRows(db)`
    with part as (select * from ${partsTable(parts)})
    select part.root_id as "incidentId", f.event ->> 'chainId' as "chainId", settled.kind as "settledBy",
      settled.at as "settledAt",
      coalesce(${recoveryBefore(sql`settled.incident_id`, sql`settled.sequence`)}, settled.at) as "recoveredAt"
    from part
    join incident_event f on f.organization_id = ${db.organizationId}::uuid and f.incident_id = part.id
      and f.kind in ('acknowledged', 'chain_ended', 'verified', 'resolved')
      and f.kind = 'chain_ended' and f.event ->> 'outcome' = 'fixed'
    left join lateral (
      select e.incident_id, e.kind, e.at, e.sequence from incident_event e
      where e.organization_id = f.organization_id and e.incident_id = f.incident_id and e.sequence > f.sequence
        and (e.kind = 'merged' or ${SETTLES})
      order by e.sequence limit 1) own on true
    -- From then on, what happens is in the incident that took it over.
    left join lateral (
      select e.incident_id, e.kind, e.at, e.sequence from part other
      join incident_event e on e.organization_id = f.organization_id and e.incident_id = other.id
      where own.kind = 'merged' and other.root_id = part.root_id and other.id <> part.id and e.at >= own.at and ${SETTLES}
      order by e.at, e.sequence limit 1) taken_over on true
    cross join lateral (
      select case when own.kind = 'merged' then taken_over.incident_id else own.incident_id end as incident_id,
        case when own.kind = 'merged' then taken_over.kind else own.kind end as kind,
        case when own.kind = 'merged' then taken_over.at else own.at end as at,
        case when own.kind = 'merged' then taken_over.sequence else own.sequence end as sequence) settled
    order by part.root_id, f.at, f.sequence`;
  return fixSchema.array().parse(rows);
}

const backSchema = z.object({ id: z.string(), at: z.date(), serviceId: z.string().nullable() });

/**
 * Returns what came back within a day of these moments, by `momentKey`: UUIDs of services of the incident that
 * failed again or that a new alert is about, and null for a new alert of the incident that names no service. An alert
 * that only informs, or that says that its own data is missing, is no fault.
 */
async function listBack(
  db: TenantDb,
  moments: readonly { id: string; at: Date }[],
): Promise<Map<string, (string | null)[]>> {
  if (moments.length === 0) return new Map();
  const day = sql`interval '1 millisecond' * ${SAME_FAULT_MS}`;
  const isFault = sql`a.organization_id = ${db.organizationId}::uuid and a.kind = 'problem' and a.severity <> 'info'
    and a.started_at > m.at and a.started_at <= m.at + ${day}`;
  const rows = await sqlRows(db)`
    with moment as (
      select distinct id, at from unnest(${idsOf(moments)}::uuid[], ${moments.map(({ at }) => at.toISOString())}::timestamptz[]) as m(id, at)),
    service as (
      select s.incident_id, s.service_id from incident_service s
      where s.organization_id = ${db.organizationId}::uuid and s.incident_id = any(${idsOf(moments)}::uuid[])
      union
      select i.id, (a ->> 'serviceId')::uuid from incident i, jsonb_array_elements(i.alerts -> 'services') a
      where i.organization_id = ${db.organizationId}::uuid and i.id = any(${idsOf(moments)}::uuid[]))
    select m.id, m.at, s.service_id as "serviceId" from moment m join service s on s.incident_id = m.id
    where exists (
        -- What fails is noticed within another day, if at all.
        select from incident_event e
        where e.organization_id = ${db.organizationId}::uuid and e.service_id = s.service_id and e.kind = 'service_failing'
          and e.at > m.at and e.at <= m.at + 2 * ${day}
          and coalesce((e.event ->> 'failingSince')::timestamptz, e.at) > m.at
          and coalesce((e.event ->> 'failingSince')::timestamptz, e.at) <= m.at + ${day})
      or exists (
        select from signal a join incident_signal l on l.organization_id = a.organization_id and l.signal_id = a.id
        where a.service_id = s.service_id and ${isFault})
    union all
    select m.id, m.at, null from moment m
    where exists (
        select from signal a join incident_signal l on l.organization_id = a.organization_id and l.signal_id = a.id
        where l.incident_id = m.id and a.service_id is null and ${isFault})`;
  const back = new Map<string, (string | null)[]>();
  for (const { id, at, serviceId } of backSchema.array().parse(rows)) {
    const key = momentKey(id, at);
    back.set(key, [...(back.get(key) ?? []), serviceId]);
  }
  return back;
}

function momentKey(incidentId: string, at: Date): string {
  return `${incidentId} ${at.getTime()}`;
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return [...new Set(rows.map(({ id }) => id))];
}

/** Returns chains with what they changed, their model and their cost. One query. */
export async function listChainFacts(
  db: TenantDb,
  chainIds: readonly string[],
): Promise<ChainFacts[]> {
  if (chainIds.length === 0) return [];
  const rows = await sqlRows(db)`
    with chains as (
      select id, outcome, highest_tier from chain
      where organization_id = ${db.organizationId}::uuid and id = any(${[...chainIds]}::uuid[])),
    sessions as (
      select s.id, s.chain_id, s.tier, s.model, s.number from session s
      where s.organization_id = ${db.organizationId}::uuid and s.chain_id = any(${[...chainIds]}::uuid[])),
    booked as (
      select chain_id, tier, model, sum(cost_micros) as micros, bool_or(is_estimate) as is_estimate from ledger_entry
      where organization_id = ${db.organizationId}::uuid and chain_id = any(${[...chainIds]}::uuid[])
      group by chain_id, tier, model),
    totals as (
      select chain_id, sum(micros) as micros, bool_or(is_estimate) as is_estimate from booked group by chain_id),
    dearest as (
      select distinct on (b.chain_id) b.chain_id, b.model from booked b join chains c on c.id = b.chain_id and c.highest_tier = b.tier
      order by b.chain_id, b.micros desc, b.model),
    configured as (
      select distinct on (s.chain_id) s.chain_id, s.model from sessions s join chains c on c.id = s.chain_id and c.highest_tier = s.tier
      order by s.chain_id, s.number desc),
    rules as (
      select s.chain_id, array_agg(distinct k.rule) as names from sessions s
      join command k on k.organization_id = ${db.organizationId}::uuid and k.session_id = s.id
      where k.may_change and k.state = 'succeeded' and k.rule is not null group by s.chain_id),
    actions as (
      select s.chain_id, array_agg(distinct a.action) as names from sessions s
      join cooldown_action a on a.organization_id = ${db.organizationId}::uuid and a.session_id = s.id group by s.chain_id)
    select c.id, c.outcome, c.highest_tier as "highestTier", coalesce(dearest.model, configured.model) as model,
      coalesce(rules.names, actions.names, '{}') as actions, totals.micros as "costMicros",
      coalesce(totals.is_estimate, false) as "isCostEstimated"
    from chains c left join totals on totals.chain_id = c.id left join dearest on dearest.chain_id = c.id
    left join configured on configured.chain_id = c.id left join rules on rules.chain_id = c.id
    left join actions on actions.chain_id = c.id`;
  return chainFactsSchema.array().parse(rows);
}
