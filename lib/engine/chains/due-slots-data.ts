import { v7 as uuidv7 } from 'uuid';
import { Prisma } from '@/generated/prisma/client';
import { listDue } from '@/lib/platform/db/due';
import { inSystemTransaction } from '@/lib/platform/db/global-db';
import { query } from '@/lib/platform/db/sql';
import { logger } from '@/lib/platform/logger';
import { openWindowClause } from '@/lib/projects/maintenance/window';
import { type PauseFact, pausesOf } from '../attempt/holds';
import { type ChainInput, createChainsSql } from './data';
import type { CreatedChain, NewChain } from './new-chain';
import { type DueSlot, planSlot, type SlotPlan, slotConfigSchema } from './plan-slot';

interface DueRow {
  id: string;
  organization_id: string;
  name: string;
  next_run_at: Date;
  current_version: number;
  config: unknown;
  organization_name: string;
  organization_paused_at: Date | null;
  organization_paused_by: string | null;
  paused_at: Date | null;
  paused_by: string | null;
  tier_paused_at: Date | null;
  tier_paused_by: string | null;
  day_micros: bigint;
  month_micros: bigint;
}

interface StartedSlots {
  /** Number of due slots that were planned. */
  seen: number;
  /** Number of chains created, including skipped ones. */
  made: number;
  /** The created chains that wait for a runner. */
  waiting: NewChain[];
}

/**
 * Plans the due slots of these projects and writes the result, in one transaction. Rows are claimed
 * with SKIP LOCKED, so several schedulers share the work, and a slot can have only one chain.
 */
export async function startDueSlots(
  projectIds: readonly string[],
  now: Date,
): Promise<StartedSlots> {
  return inSystemTransaction('due slots of every organization', async (query) => {
    const due = await query<DueRow>(dueSql(projectIds, now));
    if (due.length === 0) return { seen: 0, made: 0, waiting: [] };
    const [live, pools] = await Promise.all([
      query<LiveRow>(liveSql(due)),
      query<PoolRow>(poolsSql(due)),
    ]);
    const found = {
      liveNumbers: new Map(live.map((row) => [row.project_id, row.number])),
      poolIds: new Map(pools.map((row) => [`${row.organization_id} ${row.name}`, row.id])),
    };
    const plans = due.map((row) => planRow(row, found, now));
    const inputs = plans.map((plan, index) => withSlot(due[index]?.organization_id ?? '', plan));
    const created = await query<CreatedChain>(createChainsSql(inputs, now));
    const chains = plans.flatMap((plan) => plan.chain ?? []);
    const notes = due.flatMap((row, index) => {
      const plan = plans[index];
      return plan ? [missedNote(row, plan.missed), maintenanceNote(row, plan.held)].flat() : [];
    });
    if (notes.length > 0) await query(insertNotesSql(notes, now));
    const ids = new Set(created.map((chain) => chain.id));
    const waiting = chains.filter((each) => each.skipped === null && ids.has(each.chainId));
    return { seen: due.length, made: created.length, waiting };
  });
}

/**
 * Returns up to `limit` projects that are due, chosen round-robin: the longest due one of every
 * organization, then the second of each, and so on. Those of an organization are together, so that
 * concurrent transactions share few pools and queues.
 */
export async function listDueProjects(limit: number, now: Date): Promise<string[]> {
  const due = await listDue(
    'due projects of every organization',
    query
      .selectFrom('project')
      .select(['id', 'organizationId', 'nextRunAt as dueAt'])
      .where('nextRunAt', '<=', now),
    { limit },
  );
  const sorted = due.toSorted((a, b) => a.organizationId.localeCompare(b.organizationId));
  return sorted.map(({ id }) => id);
}

function withSlot(organizationId: string, { projectId, nextRunAt, chain }: SlotPlan): ChainInput {
  const next = nextRunAt?.toISOString() ?? null;
  return { ...chain, organizationId, projectId, isSlotMoved: true, nextRunAt: next };
}

// The configuration is read once per row by jsonb_to_record: each operator would unpack it again.
function dueSql(projectIds: readonly string[], now: Date): Prisma.Sql {
  return Prisma.sql`select p.id, p.organization_id, p.name, p.next_run_at, p.current_version,
      jsonb_build_object('schedule', c.schedule, 'budgets', b.budgets, 'runnerPool', c."runnerPool",
        'maintenance', coalesce(c.maintenance, '[]'), 'model', c.tiers->0->'model') as config,
      o.name as organization_name, o.paused_at as organization_paused_at, o.paused_by as organization_paused_by,
      p.paused_at, p.paused_by, t.paused_at as tier_paused_at, t.paused_by as tier_paused_by,
      u.day_micros, u.month_micros
    from (
      select * from project where id = any(${[...projectIds]}::uuid[]) and next_run_at <= ${now}::timestamptz
      for no key update skip locked
    ) p
    join organization o on o.id = p.organization_id
    join project_version v on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version
    cross join lateral jsonb_to_record(v.config) as c(
      schedule jsonb, "runnerPool" text, maintenance jsonb, tiers jsonb)
    cross join lateral (
      select jsonb_build_object('chainUsd', max(l.value) filter (where l.name = 'chainUsd'),
        'dayUsd', max(l.value) filter (where l.name = 'dayUsd'),
        'monthUsd', max(l.value) filter (where l.name = 'monthUsd')) as budgets
      from threshold l where l.organization_id = v.organization_id and l.project_id = v.project_id
        and l.version = v.version and l.scope = 'project') b
    left join tier_pause t on t.organization_id = p.organization_id and t.project_id = p.id and t.tier = 1
    cross join lateral (
      select coalesce(sum(d.cost_micros) filter (where d.day = (${now}::timestamptz at time zone 'UTC')::date), 0)::bigint as day_micros,
        coalesce(sum(d.cost_micros), 0)::bigint as month_micros
      from daily_usage d where d.organization_id = p.organization_id and d.project_id = p.id
        and d.day >= date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date) u`;
}

interface LiveRow {
  project_id: string;
  number: number;
}

// A separate statement: the one that took the locks still sees the rows as they were before it
// waited.
function liveSql(due: readonly DueRow[]): Prisma.Sql {
  const ids = due.map((row) => row.id);
  return Prisma.sql`select project_id, number from chain where project_id = any(${ids}::uuid[]) and status <> 'ended'`;
}

interface PoolRow {
  id: string;
  organization_id: string;
  name: string;
}

// A separate statement: a lookup for each project would read the whole table each time while it is
// small.
function poolsSql(due: readonly DueRow[]): Prisma.Sql {
  const ids = [...new Set(due.map((row) => row.organization_id))];
  return Prisma.sql`select id, organization_id, name from runner_pool where organization_id = any(${ids}::uuid[])`;
}

interface Found {
  /** Number of the live chain, by the project's UUID. */
  liveNumbers: ReadonlyMap<string, number>;
  /** UUID of a pool, by the organization's UUID and the pool's name. */
  poolIds: ReadonlyMap<string, string>;
}

/** A project whose schedule can't be read holds up no other. It has no next run then, which the watchdog reports. */
function planRow(row: DueRow, found: Found, now: Date): SlotPlan {
  try {
    return planSlot(slotOf(row, found), now);
  } catch (error) {
    logger.error({ err: error, projectId: row.id }, 'schedule stopped');
    return { projectId: row.id, nextRunAt: null, chain: null, missed: [], held: null };
  }
}

function slotOf(row: DueRow, { liveNumbers, poolIds }: Found): DueSlot {
  const config = slotConfigSchema.parse(row.config);
  return {
    projectId: row.id,
    organizationId: row.organization_id,
    projectName: row.name,
    dueAt: row.next_run_at,
    projectVersion: row.current_version,
    config,
    pauses: pausesOfRow(row),
    poolId: poolIds.get(`${row.organization_id} ${config.runnerPool}`) ?? null,
    liveNumber: liveNumbers.get(row.id) ?? null,
    spending: {
      chainMicros: 0,
      dayMicros: Number(row.day_micros),
      monthMicros: Number(row.month_micros),
    },
  };
}

function pausesOfRow(row: DueRow): PauseFact[] {
  const { tier_paused_at: since, tier_paused_by: by } = row;
  return pausesOf({
    organization: {
      name: row.organization_name,
      pausedAt: row.organization_paused_at,
      pausedBy: row.organization_paused_by,
    },
    project: { name: row.name, pausedAt: row.paused_at, pausedBy: row.paused_by },
    tierPauses: since ? [{ tier: 1, by: by ?? 'someone', since }] : [],
  });
}

/** A notice of a project's feed. */
interface Note {
  id: string;
  organizationId: string;
  projectId: string;
  level: string;
  code: string;
  message: string;
}

function insertNotesSql(notes: readonly Note[], now: Date): Prisma.Sql {
  return Prisma.sql`insert into project_event (id, organization_id, project_id, level, code, message, at)
    select id, "organizationId", "projectId", level, code, message, ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as t(
      id uuid, "organizationId" uuid, "projectId" uuid, level text, code text, message text)`;
}

function missedNote(row: DueRow, missed: readonly Date[]): Note | [] {
  const first = missed[0]?.toISOString();
  const last = missed.at(-1)?.toISOString();
  if (!first) return [];
  return {
    id: uuidv7(),
    organizationId: row.organization_id,
    projectId: row.id,
    level: 'warning',
    code: 'SLOTS_MISSED',
    message: `${missed.length} scheduled chains between ${first} and ${last} were missed while Tierwatch was down. Only the latest one starts.`,
  };
}

function maintenanceNote(row: DueRow, held: SlotPlan['held']): Note | [] {
  if (!held?.isFirst) return [];
  const clause = openWindowClause(held.window);
  return {
    id: uuidv7(),
    organizationId: row.organization_id,
    projectId: row.id,
    level: 'info',
    code: 'MAINTENANCE',
    message: `No chain starts: ${clause}.`,
  };
}
