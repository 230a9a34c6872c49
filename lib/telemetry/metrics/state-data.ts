/**
 * The gauges that describe rows: one entry for each, read when somebody scrapes. Each reads by an index or
 * from a small table, since an installation may have a million sessions.
 */

import { Prisma } from '@/generated/prisma/client';
import { WORK_TIERS, workTier } from '@/lib/engine/metric-labels';
import { ASK_TIER } from '@/lib/engine/statuses';
import { inSystemTransaction, type SystemQuery } from '@/lib/platform/db/global-db';
import { type QueueRow, readQueues, WORK_QUEUES } from '@/lib/watchdog/queue-rows';
import { RUNNER_STATES, type RunnerRow, runnerState } from './runner-state';

/** A label's values: a closed list, whose missing ones are 0; or `open`, bounded by the query. */
type LabelSets = Readonly<Record<string, readonly string[] | 'open'>>;

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

export interface StateGauge {
  name: `tierwatch_${string}`;
  help: string;
  labels: LabelSets;
  read(query: SystemQuery, now: Date): Promise<Sample[]>;
}

export const STATE_GAUGES: readonly StateGauge[] = [
  {
    name: 'tierwatch_sessions_running',
    help: 'Sessions whose agent process runs, by tier (or ask).',
    labels: { tier: WORK_TIERS },
    read: async (query) => {
      const rows = await query<{ tier: number; kind: string; count: string }>(
        // One lookup for each: a join could be planned as a scan of all sessions.
        Prisma.sql`select s.tier, s.kind, count(*) from attempt a
          cross join lateral (select tier, kind from session s
            where s.organization_id = a.organization_id and s.id = a.session_id limit 1) s
          where a.status in ('running', 'stopping') group by 1, 2`,
      );
      return rows.map(({ tier, kind, count }) => ({
        labels: { tier: workTier(kind === 'ask' ? ASK_TIER : tier) },
        value: Number(count),
      }));
    },
  },
  {
    name: 'tierwatch_approvals_waiting',
    help: 'Approvals that nobody has decided yet.',
    labels: {},
    read: async (query) => {
      const [row] = await query<{ count: string }>(
        Prisma.sql`select count(*) from approval where status = 'pending'`,
      );
      return [{ labels: {}, value: Number(row?.count ?? 0) }];
    },
  },
  {
    name: 'tierwatch_queue_jobs',
    help: 'Work that waits in PostgreSQL: attempts for a runner, messages to send, results to settle, alerts to process. State delayed: not due yet.',
    labels: { queue: WORK_QUEUES, state: ['waiting', 'delayed'] },
    read: async (query, now) => {
      const rows = await readQueuesOnce(query, now);
      return rows.flatMap(({ queue, waiting, delayed }) => [
        { labels: { queue, state: 'waiting' }, value: Number(waiting) },
        { labels: { queue, state: 'delayed' }, value: Number(delayed) },
      ]);
    },
  },
  {
    name: 'tierwatch_queue_oldest_job_age_seconds',
    help: 'How long the oldest work of a queue has been due; 0 if none is.',
    labels: { queue: WORK_QUEUES },
    read: async (query, now) => {
      const rows = await readQueuesOnce(query, now);
      return rows.map(({ queue, oldest }) => ({
        labels: { queue },
        value: oldest === null ? 0 : Math.max(0, (now.getTime() - oldest.getTime()) / 1_000),
      }));
    },
  },
  {
    name: 'tierwatch_runners',
    help: 'Runners by state, without revoked ones. State outdated: online with an earlier version than this installation.',
    labels: { state: RUNNER_STATES },
    read: async (query, now) => {
      const rows = await query<RunnerRow>(
        Prisma.sql`select last_seen_at as "lastSeenAt", draining_at as "drainingAt", paused_at as "pausedAt",
            revoked_at as "revokedAt", posture->>'runnerVersion' as version
          from runner where revoked_at is null`,
      );
      return rows.map((row) => ({ labels: { state: runnerState(row, now) }, value: 1 }));
    },
  },
  {
    name: 'tierwatch_component_last_seen_timestamp_seconds',
    help: 'When a kind of process last recorded a heartbeat, in seconds since 1970.',
    labels: { component: 'open' },
    read: async (query) => {
      const rows = await query<{ name: string; at: string }>(
        Prisma.sql`select name, extract(epoch from last_at) as at from process_heartbeat
          order by name limit ${MAX_COMPONENTS}`,
      );
      return rows.map(({ name, at }) => ({
        labels: { component: name.replaceAll('-', '_') },
        value: Number(at),
      }));
    },
  },
];

const MAX_COMPONENTS = 50;

const queues = new WeakMap<SystemQuery, Promise<QueueRow[]>>();

/** Two gauges come from one read of a transaction. */
function readQueuesOnce(query: SystemQuery, now: Date): Promise<QueueRow[]> {
  const rows = queues.get(query) ?? readQueues(query, now);
  queues.set(query, rows);
  return rows;
}

/**
 * Reads all gauges. PostgreSQL ends a statement that takes longer than `timeoutMs`, so that a scrape that
 * nobody waits for leaves nothing running.
 *
 * @returns the samples of each, in the order of STATE_GAUGES
 */
export function readStateInTransaction(timeoutMs: number, now: Date): Promise<Sample[][]> {
  return inSystemTransaction('metrics of every organization', async (query) => {
    await query(
      Prisma.sql`select set_config('statement_timeout', ${String(Math.ceil(timeoutMs))}, true),
        set_config('transaction_read_only', 'on', true)`,
    );
    const read: Sample[][] = [];
    for (const gauge of STATE_GAUGES) {
      read.push(complete(gauge.labels, await gauge.read(query, now)));
    }
    return read;
  });
}

/** Sums samples of equal labels, and adds those that are missing of closed labels. */
export function complete(labels: LabelSets, samples: readonly Sample[]): Sample[] {
  const sums = new Map(zeros(labels).map((sample) => [keyOf(sample), sample]));
  for (const { labels: own, value } of samples) {
    const key = keyOf({ labels: own });
    sums.set(key, { labels: own, value: (sums.get(key)?.value ?? 0) + value });
  }
  return [...sums.values()];
}

function zeros(labels: LabelSets): Sample[] {
  return Object.entries(labels).reduce<Sample[]>(
    (all, [name, values]) =>
      values === 'open'
        ? []
        : all.flatMap((one) =>
            values.map((value) => ({ ...one, labels: { ...one.labels, [name]: value } })),
          ),
    [{ labels: {}, value: 0 }],
  );
}

function keyOf({ labels }: Pick<Sample, 'labels'>): string {
  return JSON.stringify(Object.entries(labels).toSorted());
}
