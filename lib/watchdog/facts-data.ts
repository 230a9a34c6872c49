/** What the watchdog measures across all organizations, and what it stores to compare it with. */

import { Prisma } from '@/generated/prisma/client';
import { MAX_SKEW_MS } from '@/lib/fleet/problems';
import { OFFLINE_AFTER_SECONDS, STALE_DAYS } from '@/lib/fleet/status';
import type { SystemQuery } from '@/lib/platform/db/global-db';
import { RUNNER_API, WORKER } from '@/lib/platform/health';
import type { JobFacts, QueueFacts, WatchFacts } from './judge';
import type { QueueSample } from './queue-growth';
import { readQueues } from './queue-rows';

/** What only PostgreSQL knows. */
type StoredFacts = Pick<
  WatchFacts,
  'web' | 'worker' | 'jobs' | 'queues' | 'lostSchedules' | 'runners' | 'checks' | 'connections'
>;

export async function readFacts(query: SystemQuery, now: Date): Promise<StoredFacts> {
  const beats = await query<{ name: string; continuousSince: Date; lastAt: Date }>(
    Prisma.sql`select name, continuous_since as "continuousSince", last_at as "lastAt" from process_heartbeat
      where name in (${RUNNER_API}, ${WORKER})`,
  );
  const beatOf = (wanted: string) => beats.find(({ name }) => name === wanted) ?? null;
  const jobs = await query<JobFacts>(
    Prisma.sql`select name, every_ms as "everyMs", registered_at as "registeredAt",
      last_ended_at as "lastEndedAt", failures from job_run order by name`,
  );
  return {
    web: beatOf(RUNNER_API),
    worker: beatOf(WORKER),
    jobs,
    queues: await readQueueFacts(query, now),
    lostSchedules: await countLostSchedules(query),
    runners: await countRunners(query, now),
    checks: await countChecks(query, now),
    connections: await countConnections(query),
  };
}

async function readQueueFacts(query: SystemQuery, now: Date): Promise<QueueFacts[]> {
  const samples = await query<QueueSample & { queue: string }>(
    Prisma.sql`select queue, at, waiting from queue_sample order by at`,
  );
  return (await readQueues(query, now)).map(({ queue, waiting, oldest }) => ({
    name: queue,
    waiting: Number(waiting),
    oldestDueAt: oldest,
    samples: samples.filter((sample) => sample.queue === queue),
  }));
}

async function countLostSchedules(query: SystemQuery): Promise<number> {
  const [row] = await query<{ lost: number }>(
    Prisma.sql`select count(*)::int as lost from project p
      join project_version v on v.organization_id = p.organization_id and v.project_id = p.id
        and v.version = p.current_version
      where p.next_run_at is null and v.config->'schedule'->>'kind' <> 'manual'`,
  );
  return row?.lost ?? 0;
}

/** Paused and draining ones may be away, and one that is away for long is no longer expected. */
async function countRunners(query: SystemQuery, now: Date): Promise<WatchFacts['runners']> {
  const at = Prisma.sql`${now}::timestamptz`;
  const isOffline = Prisma.sql`last_seen_at < ${at} - make_interval(secs => ${OFFLINE_AFTER_SECONDS})`;
  const [row] = await query<Record<keyof WatchFacts['runners'], number>>(
    Prisma.sql`select count(*)::int as expected, count(*) filter (where ${isOffline})::int as offline,
        count(*) filter (where not ${isOffline} and abs(clock_skew_ms) > ${MAX_SKEW_MS})::int as "clockOff"
      from runner where revoked_at is null and draining_at is null and paused_at is null
        and last_seen_at > ${at} - make_interval(days => ${STALE_DAYS})`,
  );
  return row ?? { expected: 0, offline: 0, clockOff: 0 };
}

/** Results missed before a check counts as overdue, and how long a new assignment may take. */
const MISSED_RESULTS = 3;
const ASSIGNED_FOR_SECONDS = 120;

/** A check that was added or changed with its project's configuration has had no time for a result before that. */
async function countChecks(query: SystemQuery, now: Date): Promise<WatchFacts['checks']> {
  const at = Prisma.sql`${now}::timestamptz`;
  const allowed = Prisma.sql`make_interval(secs => c.every_seconds * ${MISSED_RESULTS} + 60)`;
  const [row] = await query<WatchFacts['checks']>(
    Prisma.sql`select count(*)::int as expected,
        count(*) filter (where ${at} - greatest(c.last_at, k.assigned_at, v.created_at) > ${allowed})::int as overdue
      from checker k
        join runner r on r.organization_id = k.organization_id and r.id = k.runner_id
        join service_check c on c.organization_id = k.organization_id and c.project_id = k.project_id
        join project_version v on v.organization_id = k.organization_id and v.project_id = k.project_id
          and v.version = k.version
      where k.is_on and c.removed_at is null and r.revoked_at is null
        and k.assigned_at < ${at} - make_interval(secs => ${ASSIGNED_FOR_SECONDS})
        and r.last_seen_at > ${at} - make_interval(secs => ${OFFLINE_AFTER_SECONDS})
        and c.spec->>'type' <> 'heartbeat'`,
  );
  return row ?? { expected: 0, overdue: 0 };
}

/** Of every role: the kind of a connection is only visible for one's own. */
async function countConnections(query: SystemQuery): Promise<WatchFacts['connections']> {
  const [row] = await query<{ used: number; max: number }>(
    Prisma.sql`select count(*)::int as used,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max
      from pg_stat_activity where datid is not null`,
  );
  return row ?? null;
}

const SAMPLED_EVERY_SECONDS = 55;
const SAMPLES_KEPT_SECONDS = 3_600;

/** Stores how much waits in each queue, unless that was done less than a minute ago. */
export async function sampleQueues(
  query: SystemQuery,
  queues: readonly QueueFacts[],
  now: Date,
): Promise<void> {
  const at = Prisma.sql`${now}::timestamptz`;
  const names = queues.map(({ name }) => name);
  const waiting = queues.map((queue) => queue.waiting);
  await query(
    Prisma.sql`insert into queue_sample (queue, at, waiting)
      select q.queue, ${at}, q.waiting from unnest(${names}::text[], ${waiting}::int[]) as q (queue, waiting)
      where not exists (select from queue_sample s where s.queue = q.queue
        and s.at > ${at} - make_interval(secs => ${SAMPLED_EVERY_SECONDS}))`,
  );
  await query(
    Prisma.sql`delete from queue_sample where at < ${at} - make_interval(secs => ${SAMPLES_KEPT_SECONDS})`,
  );
}

/** Replaces the list of recurring jobs. A changed interval begins again. */
export async function storeJobs(
  query: SystemQuery,
  jobs: readonly { name: string; everyMs: number }[],
  now: Date,
): Promise<void> {
  const names = jobs.map(({ name }) => name);
  const intervals = jobs.map(({ everyMs }) => everyMs);
  await query(
    Prisma.sql`insert into job_run (name, every_ms, registered_at)
      select name, every_ms, ${now}::timestamptz from unnest(${names}::text[], ${intervals}::int[]) as j (name, every_ms)
      on conflict (name) do update set every_ms = excluded.every_ms, registered_at = excluded.registered_at
        where job_run.every_ms <> excluded.every_ms`,
  );
  await query(Prisma.sql`delete from job_run where name <> all(${names}::text[])`);
}

export async function storeJobEnd(
  query: SystemQuery,
  name: string,
  hasFailed: boolean,
  now: Date,
): Promise<void> {
  await query(
    hasFailed
      ? Prisma.sql`update job_run set failures = failures + 1 where name = ${name}`
      : Prisma.sql`update job_run set last_ended_at = ${now}::timestamptz, failures = 0 where name = ${name}`,
  );
}
