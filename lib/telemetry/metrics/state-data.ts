/**
 * The gauges that describe rows: one entry for each, read when somebody scrapes. Each reads by an index or
 * from a small table, since an installation may have a million sessions.
 */

import { Prisma } from '@/generated/prisma/client';
import { WORK_TIERS, workTier } from '@/lib/engine/metric-labels';
import { ASK_TIER } from '@/lib/engine/statuses';
import { INCIDENT_SEVERITIES, INCIDENT_STATES } from '@/lib/incidents/states';
import { inSystemTransaction, type SystemQuery } from '@/lib/platform/db/global-db';
import { CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import { checkTypeSchema, SERVICE_STATUSES } from '@/lib/protocol/spec';
import { SIGNAL_SEVERITIES } from '@/lib/signals/schema';
import { PROBLEM_COMPONENTS } from '@/lib/watchdog/problems';
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
    read: (query) => readCount(query, Prisma.sql`approval where status = 'pending'`),
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
  {
    name: 'tierwatch_incidents',
    help: 'Incidents that are not over, by state and severity.',
    labels: {
      state: INCIDENT_STATES.filter((state) => state !== 'resolved'),
      severity: INCIDENT_SEVERITIES,
    },
    read: async (query) => {
      const rows = await query<{ state: string; severity: string; count: string }>(
        Prisma.sql`select state, severity, count(*) from incident where state <> 'resolved' group by 1, 2`,
      );
      return rows.map(({ state, severity, count }) => ({
        labels: { state, severity },
        value: Number(count),
      }));
    },
  },
  {
    name: 'tierwatch_incidents_needing_human',
    help: 'Incidents that are not over and that people have to act on.',
    labels: {},
    read: (query) =>
      readCount(
        query,
        Prisma.sql`incident where state <> 'resolved' and needs_human_since is not null`,
      ),
  },
  // Under the former name, too, which alert rules may have.
  ...(['tierwatch_paging_runs', 'tierwatch_escalations'] as const).map(
    (name): StateGauge => ({
      name,
      help: 'Incidents with a paging policy that are not over. State waiting: somebody works on the incident, or it is muted. State exhausted: no step is left.',
      labels: { state: ['running', 'waiting', 'exhausted'] },
      read: async (query) => {
        const rows = await query<{ state: string; count: string }>(
          Prisma.sql`select case when running_since is null then 'waiting'
            when next_at is null then 'exhausted' else 'running' end as state, count(*)
          from paging_run where ended_at is null group by 1`,
        );
        return rows.map(({ state, count }) => ({ labels: { state }, value: Number(count) }));
      },
    }),
  ),
  {
    name: 'tierwatch_checks',
    help: 'Checks that runners run without an agent, by kind and state.',
    labels: { kind: CHECK_TYPES, state: SERVICE_STATUSES },
    read: async (query) => {
      const rows = await query<{ kind: string; state: string; count: string }>(
        Prisma.sql`select c.spec->>'type' as kind, c.status as state, count(*) from service_check c
          join checker k on k.organization_id = c.organization_id and k.project_id = c.project_id
          where k.is_on and c.removed_at is null group by 1, 2`,
      );
      return rows
        .filter(({ kind }) => checkTypeSchema.safeParse(kind).success)
        .map(({ kind, state, count }) => ({ labels: { kind, state }, value: Number(count) }));
    },
  },
  {
    name: 'tierwatch_check_lag_seconds',
    help: 'By how much the most overdue check is late; 0 if none is. Checks without a runner do not count.',
    labels: {},
    read: async (query, now) => {
      const [row] = await query<{ lag: string | null }>(
        Prisma.sql`select max(extract(epoch from ${now}::timestamptz - greatest(c.last_at, k.assigned_at, v.created_at))
            - c.every_seconds) as lag
          from service_check c
            join checker k on k.organization_id = c.organization_id and k.project_id = c.project_id
            join project_version v on v.organization_id = k.organization_id and v.project_id = k.project_id
              and v.version = k.version
          where k.is_on and k.runner_id is not null and c.removed_at is null and c.spec->>'type' <> 'heartbeat'`,
      );
      return [{ labels: {}, value: Math.max(0, Number(row?.lag ?? 0)) }];
    },
  },
  {
    name: 'tierwatch_alerts_firing',
    help: 'Alerts of other systems that are firing, by severity.',
    labels: { severity: SIGNAL_SEVERITIES },
    read: async (query) => {
      const rows = await query<{ severity: string; count: string }>(
        Prisma.sql`select severity, count(*) from signal where status = 'firing' group by 1`,
      );
      return rows.map(({ severity, count }) => ({ labels: { severity }, value: Number(count) }));
    },
  },
  {
    name: 'tierwatch_installation_problems',
    help: 'Open problems of the installation that the watchdog has found, by component.',
    labels: { component: PROBLEM_COMPONENTS },
    read: async (query) => {
      const rows = await query<{ component: string; count: string }>(
        Prisma.sql`select component, count(*) from installation_problem where until is null group by 1`,
      );
      return rows.map(({ component, count }) => ({ labels: { component }, value: Number(count) }));
    },
  },
  {
    name: 'tierwatch_job_last_end_timestamp_seconds',
    help: 'When a recurring job last ended without an error, in seconds since 1970, to 5 s.',
    labels: { job: 'open' },
    read: async (query) => {
      const rows = await query<{ name: string; at: string }>(
        Prisma.sql`select name, extract(epoch from last_ended_at) as at from job_run
          where last_ended_at is not null order by name limit ${MAX_COMPONENTS}`,
      );
      return rows.map(({ name, at }) => ({ labels: { job: name }, value: Number(at) }));
    },
  },
];

const MAX_COMPONENTS = 50;

/** A gauge without labels: how many rows there are. */
async function readCount(query: SystemQuery, rows: Prisma.Sql): Promise<Sample[]> {
  const [row] = await query<{ count: string }>(Prisma.sql`select count(*) from ${rows}`);
  return [{ labels: {}, value: Number(row?.count ?? 0) }];
}

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
