/**
 * The gauges that describe rows: one entry for each, read when somebody scrapes. Each reads by an index or
 * from a small table, since an installation may have a million sessions.
 */

import { sql } from 'kysely';
import type { Session } from '@/generated/prisma/client';
import { WORK_TIERS, workTier } from '@/lib/engine/metric-labels';
import { ASK_TIER } from '@/lib/engine/statuses';
import { INCIDENT_SEVERITIES, INCIDENT_STATES } from '@/lib/incidents/states';
import { inSystemTransaction } from '@/lib/platform/db/global-db';
import type { RawDb } from '@/lib/platform/db/raw';
import { type Query, query, refers, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import { CHECK_TYPES } from '@/lib/protocol/checks/kinds';
import { checkTypeSchema, SERVICE_STATUSES } from '@/lib/protocol/spec';
import { SIGNAL_SEVERITIES } from '@/lib/signals/schema';
import { PROBLEM_COMPONENTS } from '@/lib/watchdog/problems';
import { type QueueRow, readQueues, WORK_QUEUES } from '@/lib/watchdog/queue-rows';
import { RUNNER_STATES, runnerState } from './runner-state';

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
  read(db: RawDb, now: Date): Promise<Sample[]>;
}

const COUNT = sql<number>`count(*)::int`.as('value');
const openIncidents = query.selectFrom('incident').where('state', '<>', 'resolved');
const PAGING_STATE = sql<string>`case when running_since is null then 'waiting'
  when next_at is null then 'exhausted' else 'running' end`;

export const STATE_GAUGES: readonly StateGauge[] = [
  {
    name: 'tierwatch_sessions_running',
    help: 'Sessions whose agent process runs, by tier (or ask).',
    labels: { tier: WORK_TIERS },
    read: async (db) => {
      const rows = await rowsOf(
        db,
        // One lookup for each: a join could be planned as a scan of all sessions.
        sql<Pick<Session, 'tier' | 'kind'> & { value: number }>`
          select s.tier, s.kind, count(*)::int as value from attempt a
          cross join lateral (select tier, kind from session s
            where s.organization_id = a.organization_id and s.id = a.session_id limit 1) s
          where a.status in ('running', 'stopping') group by 1, 2`,
      );
      return rows.map(({ tier, kind, value }) => ({
        labels: { tier: workTier(kind === 'ask' ? ASK_TIER : tier) },
        value,
      }));
    },
  },
  {
    name: 'tierwatch_approvals_waiting',
    help: 'Approvals that nobody has decided yet.',
    labels: {},
    read: (db) =>
      readCounts(db, query.selectFrom('approval').select(COUNT).where('status', '=', 'pending')),
  },
  {
    name: 'tierwatch_queue_jobs',
    help: 'Work that waits in PostgreSQL: attempts for a runner, messages to send, results to settle, alerts to process. State delayed: not due yet.',
    labels: { queue: WORK_QUEUES, state: ['waiting', 'delayed'] },
    read: async (db, now) => {
      const rows = await readQueuesOnce(db, now);
      return rows.flatMap(({ queue, waiting, delayed }) => [
        { labels: { queue, state: 'waiting' }, value: waiting },
        { labels: { queue, state: 'delayed' }, value: delayed },
      ]);
    },
  },
  {
    name: 'tierwatch_queue_oldest_job_age_seconds',
    help: 'How long the oldest work of a queue has been due; 0 if none is.',
    labels: { queue: WORK_QUEUES },
    read: async (db, now) => {
      const rows = await readQueuesOnce(db, now);
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
    read: async (db, now) => {
      const version = sql<string | null>`capabilities->>'runnerVersion'`.as('version');
      const runners = query.selectFrom('runner').where('revokedAt', 'is', null);
      const times = ['lastSeenAt', 'drainingAt', 'pausedAt', 'revokedAt'] as const;
      const rows = await rowsOf(db, runners.select([...times, version]));
      return rows.map((row) => ({ labels: { state: runnerState(row, now) }, value: 1 }));
    },
  },
  {
    name: 'tierwatch_component_last_seen_timestamp_seconds',
    help: 'When a kind of process last recorded a heartbeat, in seconds since 1970.',
    labels: { component: 'open' },
    read: async (db) => {
      const beats = query.selectFrom('processHeartbeat').select(['name', 'lastAt']);
      const rows = await rowsOf(db, beats.orderBy('name').limit(MAX_COMPONENTS));
      return rows.map(({ name, lastAt }) => ({
        labels: { component: name.replaceAll('-', '_') },
        value: lastAt.getTime() / 1_000,
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
    read: (db) => {
      const labels = ['state', 'severity'] as const;
      return readCounts(db, openIncidents.select([...labels, COUNT]).groupBy(labels));
    },
  },
  {
    name: 'tierwatch_incidents_needing_human',
    help: 'Incidents that are not over and that people have to act on.',
    labels: {},
    read: (db) =>
      readCounts(db, openIncidents.select(COUNT).where('needsHumanSince', 'is not', null)),
  },
  // Under the former name, too, which alert rules may have.
  ...(['tierwatch_paging_runs', 'tierwatch_escalations'] as const).map(
    (name): StateGauge => ({
      name,
      help: 'Incidents with a paging policy that are not over. State waiting: somebody works on the incident, or it is muted. State exhausted: no step is left.',
      labels: { state: ['running', 'waiting', 'exhausted'] },
      read: (db) => {
        const runs = query.selectFrom('pagingRun').where('endedAt', 'is', null);
        return readCounts(db, runs.select([PAGING_STATE.as('state'), COUNT]).groupBy('state'));
      },
    }),
  ),
  {
    name: 'tierwatch_checks',
    help: 'Checks that runners run without an agent, by kind and state.',
    labels: { kind: CHECK_TYPES, state: SERVICE_STATUSES },
    read: async (db) => {
      const samples = await readCounts(
        db,
        query
          .selectFrom('serviceCheck as c')
          .innerJoin('checker as k', refers('k.projectId', 'c.projectId'))
          .select([sql<string>`c.spec->>'type'`.as('kind'), 'c.status as state', COUNT])
          .where('k.isOn', '=', true)
          .where('c.removedAt', 'is', null)
          .groupBy(['kind', 'state']),
      );
      return samples.filter(({ labels }) => checkTypeSchema.safeParse(labels.kind).success);
    },
  },
  {
    name: 'tierwatch_check_lag_seconds',
    help: 'By how much the most overdue check is late; 0 if none is. Checks without a runner do not count.',
    labels: {},
    read: async (db, now) => {
      const [row] = await sqlRows(db)<{
        lag: number | null;
      }>`select max(extract(epoch from ${now}::timestamptz
            - greatest(c.last_at, k.assigned_at, v.created_at)) - c.every_seconds)::float8 as lag
          from service_check c
            join checker k on k.organization_id = c.organization_id and k.project_id = c.project_id
            join project_version v on v.organization_id = k.organization_id and v.project_id = k.project_id
              and v.version = k.version
          where k.is_on and k.runner_id is not null and c.removed_at is null and c.spec->>'type' <> 'heartbeat'`;
      return [{ labels: {}, value: Math.max(0, row?.lag ?? 0) }];
    },
  },
  {
    name: 'tierwatch_alerts_firing',
    help: 'Alerts of other systems that are firing, by severity.',
    labels: { severity: SIGNAL_SEVERITIES },
    read: (db) => {
      const firing = query.selectFrom('signal').where('status', '=', 'firing');
      return readCounts(db, firing.select(['severity', COUNT]).groupBy('severity'));
    },
  },
  {
    name: 'tierwatch_installation_problems',
    help: 'Open problems of the installation that the watchdog has found, by component.',
    labels: { component: PROBLEM_COMPONENTS },
    read: (db) => {
      const open = query.selectFrom('installationProblem').where('until', 'is', null);
      return readCounts(db, open.select(['component', COUNT]).groupBy('component'));
    },
  },
  {
    name: 'tierwatch_job_last_end_timestamp_seconds',
    help: 'When a recurring job last ended without an error, in seconds since 1970, to 5 s.',
    labels: { job: 'open' },
    read: async (db) => {
      const jobs = query.selectFrom('jobRun').select(['name', 'lastEndedAt']);
      const rows = await rowsOf(db, jobs.orderBy('name').limit(MAX_COMPONENTS));
      return rows.flatMap(({ name, lastEndedAt }) =>
        lastEndedAt ? [{ labels: { job: name }, value: lastEndedAt.getTime() / 1_000 }] : [],
      );
    },
  },
];

const MAX_COMPONENTS = 50;

/** Reads a gauge that counts rows. The other columns are its labels. */
async function readCounts(
  db: RawDb,
  counts: Query<{ value: number } & Record<string, string | number>>,
): Promise<Sample[]> {
  const rows = await rowsOf(db, counts);
  return rows.map(({ value, ...labels }) => ({ labels: labels as Sample['labels'], value }));
}

const queues = new WeakMap<RawDb, Promise<QueueRow[]>>();

/** Two gauges come from one read of a transaction. */
function readQueuesOnce(db: RawDb, now: Date): Promise<QueueRow[]> {
  const rows = queues.get(db) ?? readQueues(db, now);
  queues.set(db, rows);
  return rows;
}

/**
 * Reads all gauges. PostgreSQL ends a statement that takes longer than `timeoutMs`, so that a scrape that
 * nobody waits for leaves nothing running.
 *
 * @returns the samples of each, in the order of STATE_GAUGES
 */
export function readStateInTransaction(timeoutMs: number, now: Date): Promise<Sample[][]> {
  return inSystemTransaction('metrics of every organization', async (db) => {
    await sqlRows(db)`select set_config('statement_timeout', ${String(Math.ceil(timeoutMs))}, true),
        set_config('transaction_read_only', 'on', true)`;
    const read: Sample[][] = [];
    for (const gauge of STATE_GAUGES) {
      read.push(complete(gauge.labels, await gauge.read(db, now)));
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
