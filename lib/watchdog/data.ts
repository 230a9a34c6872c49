/** The watchdog's own rows, and what it measures in other tables, across all organizations. */

import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { MAX_SKEW_MS } from '@/lib/fleet/problems';
import { OFFLINE_AFTER_SECONDS, STALE_DAYS } from '@/lib/fleet/status';
import type { SystemQuery } from '@/lib/platform/db/global-db';
import { RUNNER_API, WORKER } from '@/lib/platform/health';
import type { JobFacts, QueueFacts, WatchFacts } from './judge';
import type { Changes } from './plan-changes';
import {
  type OpenProblem,
  PROBLEM_COMPONENTS,
  PROBLEM_KINDS,
  type ProblemComponent,
  type ProblemKind,
} from './problems';
import type { QueueSample } from './queue-growth';
import { readQueues } from './queue-rows';

/** What only PostgreSQL knows. */
export type StoredFacts = Pick<
  WatchFacts,
  'web' | 'worker' | 'jobs' | 'queues' | 'runners' | 'checks' | 'connections'
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

async function countChecks(query: SystemQuery, now: Date): Promise<WatchFacts['checks']> {
  const at = Prisma.sql`${now}::timestamptz`;
  const allowed = Prisma.sql`make_interval(secs => c.every_seconds * ${MISSED_RESULTS} + 60)`;
  const [row] = await query<WatchFacts['checks']>(
    Prisma.sql`select count(*)::int as expected,
        count(*) filter (where ${at} - greatest(c.last_at, k.assigned_at) > ${allowed})::int as overdue
      from checker k
        join runner r on r.organization_id = k.organization_id and r.id = k.runner_id
        join service_check c on c.organization_id = k.organization_id and c.project_id = k.project_id
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

/** Of one watchdog of the installation at a time. */
const LOCK = 'tierwatch watchdog';

/** @returns false if another process has it; until the end of the transaction otherwise */
export async function lockWatchdog(query: SystemQuery): Promise<boolean> {
  const [row] = await query<{ isLocked: boolean }>(
    Prisma.sql`select pg_try_advisory_xact_lock(hashtext(${LOCK})) as "isLocked"`,
  );
  return row?.isLocked === true;
}

export function listOpenProblems(query: SystemQuery): Promise<OpenProblem[]> {
  return query<OpenProblem>(
    Prisma.sql`select id, component, kind, subject, clear_since as "clearSince"
      from installation_problem where until is null`,
  );
}

export async function storeChanges(
  query: SystemQuery,
  { opened, seen, clearing, ended }: Changes,
  now: Date,
): Promise<void> {
  const at = Prisma.sql`${now}::timestamptz`;
  for (const { component, kind, subject, since, figures } of opened) {
    await query(
      Prisma.sql`insert into installation_problem (id, component, kind, subject, figures, since, opened_at, seen_at)
        values (${uuidv7()}::uuid, ${component}, ${kind}, ${subject}, ${JSON.stringify(figures)}::jsonb,
          ${since}::timestamptz, ${at}, ${at})`,
    );
  }
  for (const { id, figures } of seen) {
    await query(
      Prisma.sql`update installation_problem set figures = ${JSON.stringify(figures)}::jsonb, seen_at = ${at},
        clear_since = null where id = ${id}::uuid`,
    );
  }
  for (const id of clearing) {
    await query(
      Prisma.sql`update installation_problem set clear_since = ${at} where id = ${id}::uuid`,
    );
  }
  for (const { id, until } of ended) {
    await query(
      Prisma.sql`update installation_problem set until = greatest(since, ${until}::timestamptz) where id = ${id}::uuid`,
    );
  }
}

export interface ProblemRow {
  id: string;
  component: ProblemComponent;
  kind: ProblemKind;
  subject: string;
  figures: Record<string, number>;
  since: Date;
  until: Date | null;
  openedAt: Date;
  openingSentAt: Date | null;
}

const problemRowSchema = z.object({
  id: z.uuid(),
  component: z.enum(PROBLEM_COMPONENTS),
  kind: z.enum(PROBLEM_KINDS),
  subject: z.string(),
  figures: z.record(z.string(), z.number()),
  since: z.date(),
  until: z.date().nullable(),
  openedAt: z.date(),
  openingSentAt: z.date().nullable(),
});

const COLUMNS = Prisma.sql`id, component, kind, subject, figures, since, until, opened_at as "openedAt",
  opening_sent_at as "openingSentAt"`;

/** Returns open problems, then those that ended in the last `days`, newest first. */
export async function listProblems(
  query: SystemQuery,
  days: number,
  now: Date,
): Promise<ProblemRow[]> {
  const rows = await query<unknown>(
    Prisma.sql`select ${COLUMNS} from installation_problem
      where until is null or until > ${now}::timestamptz - make_interval(days => ${days})
      order by until is not null, since desc, id desc limit ${MAX_LISTED}`,
  );
  return z.array(problemRowSchema).parse(rows);
}

const MAX_LISTED = 100;

/** Older news isn't sent: an address may have been set long after. */
const NEWS_HOURS = 24;

/**
 * Claims problems whose opening or end the operator hasn't learned of. Until a message is sent, each is
 * claimed again after `retrySeconds`.
 */
export async function claimMessages(
  query: SystemQuery,
  retrySeconds: number,
  now: Date,
): Promise<ProblemRow[]> {
  const at = Prisma.sql`${now}::timestamptz`;
  const rows = await query<unknown>(
    Prisma.sql`update installation_problem set send_after = ${at} + make_interval(secs => ${retrySeconds})
      where id in (select id from installation_problem
        where (send_after is null or send_after <= ${at})
          and ((opening_sent_at is null and opened_at > ${at} - make_interval(hours => ${NEWS_HOURS}))
            or (until > ${at} - make_interval(hours => ${NEWS_HOURS}) and end_sent_at is null))
        order by opened_at limit 20 for update skip locked)
      returning ${COLUMNS}`,
  );
  return z.array(problemRowSchema).parse(rows);
}

/** @param until as it was in the message: the end may have come since */
export async function markSent(
  query: SystemQuery,
  { id, until }: Pick<ProblemRow, 'id' | 'until'>,
  now: Date,
): Promise<void> {
  const at = Prisma.sql`${now}::timestamptz`;
  await query(
    until === null
      ? Prisma.sql`update installation_problem set opening_sent_at = ${at}, send_after = null where id = ${id}::uuid`
      : Prisma.sql`update installation_problem set opening_sent_at = coalesce(opening_sent_at, ${at}),
          end_sent_at = ${at}, send_after = null where id = ${id}::uuid`,
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

/** @returns how many were deleted */
export async function deleteProblems(query: SystemQuery, endedBefore: Date): Promise<number> {
  const rows = await query<{ id: string }>(
    Prisma.sql`delete from installation_problem where until < ${endedBefore}::timestamptz returning id`,
  );
  return rows.length;
}
