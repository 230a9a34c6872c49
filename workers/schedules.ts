import { enqueueDueDeliveries } from '@/lib/deliveries/recover-deliveries';
import { startDueChains } from '@/lib/engine/chains/start-chain';
import { endHostWaits } from '@/lib/engine/sweep/end-host-waits';
import { expireApprovals } from '@/lib/engine/sweep/expire-approvals';
import { enqueueWaiting, expireLeases } from '@/lib/engine/sweep/sweep';
import { reportOfflineRunners } from '@/lib/fleet/offline';
import { writeAuditAnchors } from '@/lib/identity/audit/write-anchors';
import { advanceIncidents } from '@/lib/incidents/sweep';
import { judgePingChecks } from '@/lib/monitoring/judge-pings';
import { assignCheckers, expireResults, watchBlocks } from '@/lib/monitoring/sweep';
import { advancePaging } from '@/lib/paging/advance-paging';
import { readDueCalendars } from '@/lib/paging/read-calendars';
import { env } from '@/lib/platform/env';
import { logger } from '@/lib/platform/logger';
import type { QueueHandle } from '@/lib/platform/queue/backend';
import { restoreLostSchedules } from '@/lib/projects/schedules/lost-rows';
import { sweepSignals } from '@/lib/signals/sweep';
import { registerJobs } from '@/lib/watchdog/job-runs';
import { pingWatchdog } from '@/lib/watchdog/ping';
import { endPauses, pruneRows } from './maintenance';

/**
 * Several workers share one schedule: each run is handled by the first worker that claims it.
 */
interface RecurringJob {
  name: string;
  /** Null: it isn't started. */
  everyMs: number | null;
  run(): Promise<unknown>;
}

const FIXED: readonly RecurringJob[] = [
  { name: 'chains.start_due', everyMs: 1_000, run: () => startDueChains() },
  {
    name: 'attempts.enqueue',
    everyMs: 2_000,
    async run() {
      await enqueueWaiting();
      await enqueueDueDeliveries();
    },
  },
  { name: 'checks.keep', everyMs: 2_000, run: () => assignCheckers() },
  { name: 'heartbeats.judge', everyMs: 2_000, run: () => judgePingChecks() },
  { name: 'incidents.advance', everyMs: 2_000, run: () => advanceIncidents() },
  { name: 'paging.advance', everyMs: 2_000, run: () => advancePaging() },
  { name: 'calendars.read', everyMs: 10_000, run: () => readDueCalendars() },
  { name: 'alerts.sweep', everyMs: 5_000, run: () => sweepSignals() },
  { name: 'pauses.end', everyMs: 5_000, run: () => endPauses() },
  { name: 'leases.expire', everyMs: 5_000, run: () => expireLeases() },
  { name: 'approvals.expire', everyMs: 5_000, run: () => expireApprovals() },
  { name: 'hosts.end_waits', everyMs: 10_000, run: () => endHostWaits() },
  {
    name: 'checks.expire',
    everyMs: 10_000,
    async run() {
      await expireResults();
      await watchBlocks();
    },
  },
  { name: 'runners.report_offline', everyMs: 10_000, run: () => reportOfflineRunners() },
  { name: 'audit.write_checkpoints', everyMs: 900_000, run: () => writeAuditAnchors() },
  {
    name: 'rows.prune',
    everyMs: 3_600_000,
    async run() {
      await restoreLostSchedules();
      await pruneRows();
    },
  },
];

function jobs(): readonly RecurringJob[] {
  const { watchdogUrl, watchdogSeconds } = env();
  // The operator sets its interval, to match the receiver's.
  const everyMs = watchdogUrl === null ? null : watchdogSeconds * 1_000;
  return [...FIXED, { name: 'watchdog.ping', everyMs, run: () => pingWatchdog() }];
}

interface Schedule {
  name: string;
  everyMs: number;
}

function schedules(): Schedule[] {
  return jobs().flatMap(({ name, everyMs }) => (everyMs === null ? [] : { name, everyMs }));
}

/** Returns null if a job of this name doesn't recur. */
export function findRecurring(name: string): RecurringJob | null {
  return jobs().find((job) => job.name === name) ?? null;
}

/** Starts the recurring jobs, and ends those that an earlier version had under another name. */
export async function startSchedules(queue: QueueHandle): Promise<void> {
  const all = schedules();
  for (const each of all) await startRecurring(queue, each);
  await registerJobs(all);
  const known = new Set(all.map(({ name }) => name));
  for (const key of await keysOf(queue)) {
    if (!known.has(key)) await queue.removeJobScheduler(key);
  }
}

/** Starts those that are gone, as after a Redis lost its data: nothing else would bring them back. */
export async function restoreSchedules(queue: QueueHandle): Promise<void> {
  const running = new Set(await keysOf(queue));
  for (const each of schedules()) {
    if (!running.has(each.name)) await startRecurring(queue, each);
  }
}

async function keysOf(queue: QueueHandle): Promise<string[]> {
  return (await queue.getJobSchedulers()).map(({ key }) => key);
}

function startRecurring(queue: QueueHandle, { name, everyMs }: Schedule) {
  return queue.upsertJobScheduler(
    name,
    { every: everyMs },
    { name, opts: { removeOnComplete: true, removeOnFail: true } },
  );
}

const RESTORE_EVERY_MS = 5_000;

/** For the worker process: checks regularly that every schedule is there. @returns how to stop */
export function keepSchedules(queue: QueueHandle): () => void {
  let isChecking = false;
  const check = async () => {
    // While the queue is away, one check waits for it.
    if (isChecking) return;
    isChecking = true;
    await restoreSchedules(queue).catch((error) =>
      logger.warn({ error: String(error) }, 'schedules not checked'),
    );
    isChecking = false;
  };
  const timer = setInterval(check, RESTORE_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}
