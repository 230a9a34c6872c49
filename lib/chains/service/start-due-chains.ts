import { v7 as uuidv7 } from 'uuid';
import { Prisma } from '@/generated/prisma/client';
import { poolQueue } from '@/lib/attempts/data';
import { systemDb } from '@/lib/db/global-db';
import { logger } from '@/lib/logger';
import { type ProjectConfig, projectConfigSchema } from '@/lib/projects/schema';
import { ringRunnerQueues } from '@/lib/queue/enqueue';
import { missedSlots, nextRunAt } from '@/lib/schedules/next-run';
import { type CreatedChain, createChainsSql, type NewChain } from '../new-chains';

const BATCH = 200;

interface DueRow {
  id: string;
  organization_id: string;
  name: string;
  next_run_at: Date;
  current_version: number;
  config: unknown;
  is_paused: boolean;
  pool_id: string | null;
  day_micros: bigint;
  month_micros: bigint;
}

/**
 * Gives every due slot its chain, whatever restarts and however many schedulers run: rows are
 * claimed with SKIP LOCKED, and a slot can have only one chain.
 *
 * @returns how many chains were made, skipped ones included
 */
export async function startDueChains(now = new Date()): Promise<number> {
  let made = 0;
  for (;;) {
    const batch = await startBatch(now);
    made += batch.made;
    if (batch.seen < BATCH) return made;
  }
}

async function startBatch(now: Date): Promise<{ seen: number; made: number }> {
  const db = systemDb('due slots of every organization');
  const { seen, chains, created } = await db.$transaction(async (tx) => {
    const due = await tx.$queryRaw<DueRow[]>(dueSql(now));
    if (due.length === 0)
      return { seen: 0, chains: [] as NewChain[], created: [] as CreatedChain[] };
    const live = await tx.$queryRaw<LiveRow[]>(liveSql(due));
    const liveNumbers = new Map(live.map((row) => [row.project_id, row.number]));
    const planned = due.map((row) => planSlot(row, liveNumbers.get(row.id) ?? null, now));
    await tx.$executeRaw(moveSql(planned));
    const chains = planned.flatMap((plan) => plan.chain ?? []);
    const created = chains.length
      ? await tx.$queryRaw<CreatedChain[]>(createChainsSql(chains, now))
      : [];
    const notes = planned.flatMap((plan) => plan.note ?? []);
    if (notes.length > 0) await tx.projectEvent.createMany({ data: notes });
    return { seen: due.length, chains, created };
  });
  const ids = new Set(created.map((chain) => chain.id));
  const waiting = chains.filter((chain) => chain.skippedBecause === null && ids.has(chain.chainId));
  await ringRunnerQueues(
    waiting.map(({ poolId, attemptId }) => ({ queueName: poolQueue(poolId), attemptId })),
  );
  return { seen, made: created.length };
}

function dueSql(now: Date): Prisma.Sql {
  return Prisma.sql`
    select p.id, p.organization_id, p.name, p.next_run_at, p.current_version, v.config,
      (p.paused_at is not null or o.paused_at is not null) as is_paused,
      (select r.id from runner_pool r where r.organization_id = p.organization_id and r.name = v.config->>'runnerPool') as pool_id,
      (select coalesce(sum(u.cost_micros), 0)::bigint from daily_usage u where u.organization_id = p.organization_id
        and u.project_id = p.id and u.day = (${now}::timestamptz at time zone 'UTC')::date) as day_micros,
      (select coalesce(sum(u.cost_micros), 0)::bigint from daily_usage u where u.organization_id = p.organization_id
        and u.project_id = p.id and u.day >= date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date) as month_micros
    from project p
    join organization o on o.id = p.organization_id
    join project_version v on v.organization_id = p.organization_id and v.project_id = p.id and v.version = p.current_version
    where p.next_run_at <= ${now}::timestamptz
    order by p.next_run_at limit ${BATCH} for update of p skip locked`;
}

interface LiveRow {
  project_id: string;
  number: number;
}

// A statement of its own: the one that took the locks still sees what stood before it waited.
function liveSql(due: readonly DueRow[]): Prisma.Sql {
  const ids = due.map((row) => row.id);
  return Prisma.sql`select project_id, number from chain where project_id = any(${ids}::uuid[]) and status <> 'ended'`;
}

interface SlotPlan {
  projectId: string;
  nextRunAt: Date | null;
  chain: NewChain | null;
  note: Prisma.ProjectEventCreateManyInput | null;
}

/** A paused project makes no rows; after a downtime only the newest missed slot runs. */
function planSlot(row: DueRow, liveNumber: number | null, now: Date): SlotPlan {
  const parsed = projectConfigSchema.safeParse(row.config);
  if (!parsed.success) {
    logger.error(
      { projectId: row.id },
      'a stored configuration does not parse; its schedule stops',
    );
    return { projectId: row.id, nextRunAt: null, chain: null, note: null };
  }
  const config = parsed.data;
  const next = nextRunAt(config.schedule, now);
  if (row.is_paused) return { projectId: row.id, nextRunAt: next, chain: null, note: null };
  const { newest, missed } = missedSlots(config.schedule, row.next_run_at, now);
  return {
    projectId: row.id,
    nextRunAt: next,
    chain: planChain(row, config, liveNumber, newest ?? row.next_run_at),
    note: missed.length > 0 ? missedNote(row, missed) : null,
  };
}

function planChain(
  row: DueRow,
  config: ProjectConfig,
  liveNumber: number | null,
  slot: Date,
): NewChain {
  return {
    chainId: uuidv7(),
    sessionId: uuidv7(),
    attemptId: uuidv7(),
    organizationId: row.organization_id,
    projectId: row.id,
    slotAt: slot.toISOString(),
    trigger: 'schedule',
    requestedBy: null,
    projectVersion: row.current_version,
    startTier: 1,
    isDryRun: false,
    isForceFresh: false,
    prompt: null,
    model: config.tiers[0].model,
    poolId: row.pool_id ?? row.id,
    skippedBecause: skipReason(row, config, liveNumber, slot),
  };
}

function skipReason(
  row: DueRow,
  config: ProjectConfig,
  liveNumber: number | null,
  slot: Date,
): string | null {
  const at = slot.toISOString().slice(11, 16);
  if (liveNumber !== null) return `Skipped: #${liveNumber} was still running at ${at} UTC.`;
  if (!row.pool_id) return `Skipped: there is no runner pool named ${config.runnerPool}.`;
  const reached = (limit: number | null, spent: bigint) =>
    limit !== null && Number(spent) >= limit * 1_000_000;
  if (reached(config.budgets.dayUsd, row.day_micros)) {
    return `Skipped: ${row.name} reached today's budget. Raise it, or wait until 00:00 UTC.`;
  }
  if (reached(config.budgets.monthUsd, row.month_micros)) {
    return `Skipped: ${row.name} reached this month's budget. Raise it, or wait until next month.`;
  }
  return null;
}

function missedNote(row: DueRow, missed: readonly Date[]): Prisma.ProjectEventCreateManyInput {
  const first = missed[0]?.toISOString();
  const last = missed.at(-1)?.toISOString();
  return {
    id: uuidv7(),
    organizationId: row.organization_id,
    projectId: row.id,
    level: 'warning',
    code: 'SLOTS_MISSED',
    message: `${missed.length} scheduled cycles between ${first} and ${last} were missed while Tierwatch was away. Only the newest slot runs.`,
  };
}

function moveSql(plans: readonly SlotPlan[]): Prisma.Sql {
  const rows = plans.map((plan) => ({
    id: plan.projectId,
    next: plan.nextRunAt?.toISOString() ?? null,
  }));
  return Prisma.sql`update project p set next_run_at = t.next
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t(id uuid, next timestamptz) where p.id = t.id`;
}
