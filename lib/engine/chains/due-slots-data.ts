import { type InferResult, type NotNull, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { listDue } from '@/lib/platform/db/due';
import { inSystemTransaction } from '@/lib/platform/db/global-db';
import type { RawDb } from '@/lib/platform/db/raw';
import { anyOf, changedBy, query, refers, rowsOf } from '@/lib/platform/db/sql';
import { logger } from '@/lib/platform/logger';
import { openWindowClause } from '@/lib/projects/maintenance/window';
import { type PauseFact, pausesOf } from '../attempt/holds';
import { type ChainInput, createChainsSql } from './data';
import type { NewChain } from './new-chain';
import { type DueSlot, planSlot, type SlotPlan, slotConfigSchema } from './plan-slot';

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
  return inSystemTransaction('due slots of every organization', async (db) => {
    const due = await rowsOf(db, dueSlots(projectIds, now));
    if (due.length === 0) return { seen: 0, made: 0, waiting: [] };
    const found = await readFound(db, due);
    const plans = due.map((row) => planRow(row, found, now));
    const inputs = plans.map((plan, index) => withSlot(due[index]?.organizationId ?? '', plan));
    const created = await rowsOf(db, createChainsSql(inputs, now));
    const chains = plans.flatMap((plan) => plan.chain ?? []);
    const notes = due.flatMap((row, index) => {
      const plan = plans[index];
      return plan ? [missedNote(row, plan.missed), maintenanceNote(row, plan.held)].flat() : [];
    });
    if (notes.length > 0) {
      await changedBy(
        db,
        query
          .insertInto('projectEvent')
          .values(notes.map((note) => ({ id: uuidv7(), ...note, at: now }))),
      );
    }
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
const CONFIG = sql`(select jsonb_build_object('schedule', c.schedule, 'budgets', (
      select jsonb_build_object('chainUsd', max(l.value) filter (where l.name = 'chainUsd'),
        'dayUsd', max(l.value) filter (where l.name = 'dayUsd'),
        'monthUsd', max(l.value) filter (where l.name = 'monthUsd'))
      from threshold l where l.organization_id = v.organization_id and l.project_id = v.project_id
        and l.version = v.version and l.scope = 'project'),
    'runnerPool', c."runnerPool", 'maintenance', coalesce(c.maintenance, '[]'), 'model', c.tiers->0->'model')
  from jsonb_to_record(v.config) as c(schedule jsonb, "runnerPool" text, maintenance jsonb, tiers jsonb))`;

function dueSlots(projectIds: readonly string[], now: Date) {
  const spent = sql<{ dayMicros: bigint; monthMicros: bigint }>`(
    select coalesce(sum(d.cost_micros) filter (where d.day = (${now}::timestamptz at time zone 'UTC')::date), 0)::bigint as day_micros,
      coalesce(sum(d.cost_micros), 0)::bigint as month_micros
    from daily_usage d where d.organization_id = p.organization_id and d.project_id = p.id
      and d.day >= date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date)`;
  const claimed = query
    .selectFrom('project')
    .selectAll()
    .where('id', '=', anyOf(projectIds))
    .where('nextRunAt', '<=', now)
    .forNoKeyUpdate()
    .skipLocked();
  return query
    .selectFrom(claimed.as('p'))
    .innerJoin('organization as o', 'o.id', 'p.organizationId')
    .innerJoin('projectVersion as v', refers('v.projectId', 'p.id'))
    .leftJoin('tierPause as t', (join) =>
      refers('t.projectId', 'p.id')(join).on('t.tier', '=', sql.lit(1)),
    )
    .crossJoinLateral(spent.as('u'))
    .select(['p.id', 'p.organizationId', 'p.name', 'p.nextRunAt', 'p.currentVersion'])
    .select(['p.pausedAt', 'p.pausedBy', 't.pausedAt as since', 't.pausedBy as by'])
    .select(['o.name as owner', 'o.pausedAt as ownerPausedAt', 'o.pausedBy as ownerPausedBy'])
    .select(['u.dayMicros', 'u.monthMicros', CONFIG.as('config')])
    .whereRef('v.version', '=', 'p.currentVersion')
    .$narrowType<{ nextRunAt: NotNull }>();
}
type DueRow = InferResult<ReturnType<typeof dueSlots>>[number];

// Separate statements: the one that took the locks still sees chains as they were before it waited, and a
// lookup of the pool for each project would read the whole table each time while it is small.
async function readFound(db: RawDb, due: readonly DueRow[]): Promise<Found> {
  const projects = anyOf(due.map(({ id }) => id));
  const organizations = anyOf([...new Set(due.map(({ organizationId }) => organizationId))]);
  const [live, pools] = await Promise.all([
    rowsOf(
      db,
      query
        .selectFrom('chain')
        .select(['projectId', 'number'])
        .where('projectId', '=', projects)
        .where('status', '<>', sql.lit('ended')),
    ),
    rowsOf(
      db,
      query
        .selectFrom('runnerPool')
        .select(['id', 'organizationId', 'name'])
        .where('organizationId', '=', organizations),
    ),
  ]);
  return {
    liveNumbers: new Map(live.map(({ projectId, number }) => [projectId, number])),
    poolIds: new Map(pools.map((row) => [`${row.organizationId} ${row.name}`, row.id])),
  };
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
    organizationId: row.organizationId,
    projectName: row.name,
    dueAt: row.nextRunAt,
    projectVersion: row.currentVersion,
    config,
    pauses: pausesOfRow(row),
    poolId: poolIds.get(`${row.organizationId} ${config.runnerPool}`) ?? null,
    liveNumber: liveNumbers.get(row.id) ?? null,
    spending: {
      chainMicros: 0,
      dayMicros: Number(row.dayMicros),
      monthMicros: Number(row.monthMicros),
    },
  };
}

function pausesOfRow(row: DueRow): PauseFact[] {
  const { since, by } = row;
  return pausesOf({
    organization: { name: row.owner, pausedAt: row.ownerPausedAt, pausedBy: row.ownerPausedBy },
    project: row,
    tierPauses: since ? [{ tier: 1, by: by ?? 'someone', since }] : [],
  });
}

function missedNote(row: DueRow, missed: readonly Date[]) {
  const first = missed[0]?.toISOString();
  const last = missed.at(-1)?.toISOString();
  if (!first) return [];
  return {
    organizationId: row.organizationId,
    projectId: row.id,
    level: 'warning',
    code: 'SLOTS_MISSED',
    message: `${missed.length} scheduled chains between ${first} and ${last} were missed while Tierwatch was down. Only the latest one starts.`,
  };
}

function maintenanceNote(row: DueRow, held: SlotPlan['held']) {
  if (!held?.isFirst) return [];
  const clause = openWindowClause(held.window);
  return {
    organizationId: row.organizationId,
    projectId: row.id,
    level: 'info',
    code: 'MAINTENANCE',
    message: `No chain starts: ${clause}.`,
  };
}
