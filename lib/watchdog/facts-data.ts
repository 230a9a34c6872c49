/** What the watchdog measures across all organizations, and what it stores to compare it with. */

import { sql } from 'kysely';
import { MAX_SKEW_MS } from '@/lib/fleet/problems';
import { OFFLINE_AFTER_SECONDS, STALE_DAYS } from '@/lib/fleet/status';
import { daysBefore } from '@/lib/platform/db/batches';
import type { RawDb } from '@/lib/platform/db/raw';
import {
  changedBy,
  changedBySystem,
  given,
  instant,
  query,
  rowsOf,
  sqlChanges,
  sqlRows,
} from '@/lib/platform/db/sql';
import { RUNNER_API, WORKER } from '@/lib/platform/health';
import { lostSchedules } from '@/lib/projects/schedules/lost-rows';
import type { QueueFacts, WatchFacts } from './judge';
import { readQueues } from './queue-rows';

/** What only PostgreSQL knows. */
type StoredFacts = Pick<
  WatchFacts,
  'web' | 'worker' | 'jobs' | 'queues' | 'lostSchedules' | 'runners' | 'checks' | 'connections'
>;

export async function readFacts(db: RawDb, now: Date): Promise<StoredFacts> {
  const beats = await rowsOf(
    db,
    query.selectFrom('processHeartbeat').selectAll().where('name', 'in', [RUNNER_API, WORKER]),
  );
  const beatOf = (wanted: string) => beats.find(({ name }) => name === wanted) ?? null;
  return {
    web: beatOf(RUNNER_API),
    worker: beatOf(WORKER),
    jobs: await rowsOf(db, query.selectFrom('jobRun').selectAll().orderBy('name')),
    queues: await readQueueFacts(db, now),
    lostSchedules: await countLostSchedules(db),
    runners: await countRunners(db, now),
    checks: await countChecks(db, now),
    connections: await countConnections(db),
  };
}

async function readQueueFacts(db: RawDb, now: Date): Promise<QueueFacts[]> {
  const samples = await rowsOf(db, query.selectFrom('queueSample').selectAll().orderBy('at'));
  return (await readQueues(db, now)).map(({ queue, waiting, oldest }) => ({
    name: queue,
    waiting,
    oldestDueAt: oldest,
    samples: samples.filter((sample) => sample.queue === queue),
  }));
}

async function countLostSchedules(db: RawDb): Promise<number> {
  const count = sql<number>`count(*)::int`.as('lost');
  const [row] = await rowsOf(db, lostSchedules.select(count));
  return row?.lost ?? 0;
}

/** Paused and draining ones may be away, and one that is away for long is no longer expected. */
async function countRunners(db: RawDb, now: Date): Promise<WatchFacts['runners']> {
  const isOffline = sql`last_seen_at < ${secondsBefore(now, OFFLINE_AFTER_SECONDS)}`;
  const [row] = await sqlRows(db)<WatchFacts['runners']>`
      select count(*)::int as expected, count(*) filter (where ${isOffline})::int as offline,
        count(*) filter (where not ${isOffline} and abs(clock_skew_ms) > ${MAX_SKEW_MS})::int as clock_off
      from runner where revoked_at is null and draining_at is null and paused_at is null
        and last_seen_at > ${daysBefore(now, STALE_DAYS)}`;
  return row ?? { expected: 0, offline: 0, clockOff: 0 };
}

/** Results missed before a check counts as overdue, and how long a new assignment may take. */
const MISSED_RESULTS = 3;
const ASSIGNED_FOR_SECONDS = 120;

/** A check that was added or changed with its project's configuration has had no time for a result before that. */
async function countChecks(db: RawDb, now: Date): Promise<WatchFacts['checks']> {
  const allowed = sql`make_interval(secs => c.every_seconds * ${MISSED_RESULTS} + 60)`;
  const [row] = await sqlRows(db)<WatchFacts['checks']>`select count(*)::int as expected,
        count(*) filter (where ${instant(now)} - greatest(c.last_at, k.assigned_at, v.created_at) > ${allowed})::int as overdue
      from checker k
        join runner r on r.organization_id = k.organization_id and r.id = k.runner_id
        join service_check c on c.organization_id = k.organization_id and c.project_id = k.project_id
        join project_version v on v.organization_id = k.organization_id and v.project_id = k.project_id
          and v.version = k.version
      where k.is_on and c.removed_at is null and r.revoked_at is null
        and k.assigned_at < ${secondsBefore(now, ASSIGNED_FOR_SECONDS)}
        and r.last_seen_at > ${secondsBefore(now, OFFLINE_AFTER_SECONDS)}
        and c.spec->>'type' <> 'heartbeat'`;
  return row ?? { expected: 0, overdue: 0 };
}

/** Of every role: the kind of a connection is only visible for one's own. */
async function countConnections(db: RawDb): Promise<WatchFacts['connections']> {
  const [row] = await sqlRows(db)<
    NonNullable<WatchFacts['connections']>
  >`select count(*)::int as used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max
      from pg_stat_activity where datid is not null`;
  return row ?? null;
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1_000);
}

const SAMPLED_EVERY_SECONDS = 55;
const SAMPLES_KEPT_SECONDS = 3_600;

/** Stores how much waits in each queue, unless that was done less than a minute ago. */
export async function sampleQueues(
  db: RawDb,
  queues: readonly QueueFacts[],
  now: Date,
): Promise<void> {
  const samples = queues.map(({ name, waiting }) => ({ queue: name, at: now, waiting }));
  await sqlChanges(
    db,
  )`insert into queue_sample (queue, at, waiting) select queue, at, waiting from ${given('queueSample', samples)} q
      where not exists (select from queue_sample s where s.queue = q.queue
        and s.at > ${secondsBefore(now, SAMPLED_EVERY_SECONDS)})`;
  const past = secondsBefore(now, SAMPLES_KEPT_SECONDS);
  await changedBy(db, query.deleteFrom('queueSample').where('at', '<', past));
}

/** Replaces the list of recurring jobs. A changed interval begins again. */
export async function storeJobs(
  db: RawDb,
  jobs: readonly { name: string; everyMs: number }[],
  now: Date,
): Promise<void> {
  await changedBy(
    db,
    query
      .insertInto('jobRun')
      .values(jobs.map((job) => ({ ...job, registeredAt: now })))
      .onConflict((on) =>
        on
          .column('name')
          .doUpdateSet(({ ref }) => ({ everyMs: ref('excluded.everyMs'), registeredAt: now }))
          .whereRef('jobRun.everyMs', '<>', 'excluded.everyMs'),
      ),
  );
  const names = jobs.map(({ name }) => name);
  await changedBy(db, query.deleteFrom('jobRun').where('name', 'not in', names));
}

export async function storeJobEnd(name: string, hasFailed: boolean, now: Date): Promise<void> {
  const job = query.updateTable('jobRun').where('name', '=', name);
  await changedBySystem(
    'recurring jobs of the installation',
    hasFailed
      ? job.set(({ eb }) => ({ failures: eb('failures', '+', 1) }))
      : job.set({ lastEndedAt: now, failures: 0 }),
  );
}
