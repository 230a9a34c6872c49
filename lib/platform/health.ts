import { sql } from 'kysely';
import { z } from 'zod';
import { globalDb } from './db/global-db';
import { lookedUp } from './db/sql';
import { logger } from './logger';
import { pingQueue } from './queue/enqueue';
import { within } from './within';

const BEAT_EVERY_MS = 5_000;
/** Three missed beats: no worker is there. */
export const WORKER_GONE_MS = 3 * BEAT_EVERY_MS;
const ANSWER_WITHIN_MS = 1_500;

/** Name of the row that holds since when the runner API has answered without a gap. */
export const RUNNER_API = 'runner-api';
/** A longer gap between two records restarts the count, in seconds. */
export const PRESENCE_GAP_SECONDS = 15;

/**
 * Checks what must be there for chains to run, each part for 1.5 seconds at most. Leases expire only
 * while web processes record that the runner API answers: that is the lease clock.
 */
export async function checkReadiness(now = new Date()): Promise<Readiness> {
  const [beats, queue] = await Promise.all([answer(findBeats()), answer(pingQueue())]);
  const isFresh = (name: string, goneMs: number) => {
    const lastAt = beats.ok ? beats.value.get(name) : undefined;
    return lastAt !== undefined && now.getTime() - lastAt.getTime() < goneMs;
  };
  const parts = {
    database: beats.ok,
    queue: queue.ok,
    worker: isFresh(WORKER, WORKER_GONE_MS),
    leaseClock: isFresh(RUNNER_API, PRESENCE_GAP_SECONDS * 1_000),
  };
  const isReady = Object.values(parts).every(Boolean);
  return { status: isReady ? 'ready' : 'not_ready', parts };
}

/** For the worker process: says every few seconds that it lives. Answers how to stop. */
export function startWorkerBeat(): () => void {
  const beat = () => {
    recordPresence(WORKER, WORKER_GONE_MS / 1_000).catch((error) =>
      logger.warn({ error: String(error) }, 'worker heartbeat failed'),
    );
  };
  beat();
  const timer = setInterval(beat, BEAT_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

type Answer<Value> = { ok: true; value: Value } | { ok: false };

async function answer<Value>(work: Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: true, value: await within(ANSWER_WITHIN_MS, work) };
  } catch {
    return { ok: false };
  }
}

const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  /** The parts that were checked, each with whether it responded. */
  parts: z.object({
    database: z.boolean(),
    queue: z.boolean(),
    worker: z.boolean(),
    leaseClock: z.boolean(),
  }),
});
type Readiness = z.infer<typeof readinessSchema>;

/** Name of the row in which workers record that they run. */
export const WORKER = 'worker';

/** When each kind of process last recorded a heartbeat. */
async function findBeats(): Promise<Map<string, Date>> {
  const rows = await globalDb().processHeartbeat.findMany();
  return new Map(rows.map(({ name, lastAt }) => [name, lastAt]));
}

/**
 * Records a heartbeat of this kind of process.
 *
 * @param gapSeconds a longer gap since the last heartbeat restarts the count
 * @param now left out: by the clock of PostgreSQL, so that hosts whose clocks differ record one time
 */
export async function recordPresence(name: string, gapSeconds: number, now?: Date): Promise<void> {
  await lookedUp(sql`
    insert into process_heartbeat (name, continuous_since, last_at)
    select ${name}, at, at from coalesce(${now ?? null}::timestamptz, clock_timestamp()) as at
    on conflict (name) do update set last_at = excluded.last_at,
      continuous_since = case when excluded.last_at - process_heartbeat.last_at > make_interval(secs => ${gapSeconds})
        then excluded.last_at else process_heartbeat.continuous_since end`);
}
