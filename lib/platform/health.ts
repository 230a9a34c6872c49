import { z } from 'zod';
import { Prisma } from '@/generated/prisma/client';
import { globalDb, lookUp } from './db/global-db';
import { logger } from './logger';
import { controlQueue } from './queue/enqueue';

const BEAT_EVERY_MS = 5_000;
/** Three missed beats: no worker is there. */
export const WORKER_GONE_MS = 3 * BEAT_EVERY_MS;
const ANSWER_WITHIN_MS = 2_000;

/** Check that the database, the queue and a worker respond, each within two seconds. */
export async function checkReadiness(now = new Date()): Promise<Readiness> {
  const [beat, queue] = await Promise.all([
    answer(findWorkerBeat()),
    answer(controlQueue().waitUntilReady()),
  ]);
  const lastBeat = beat.ok ? beat.value : null;
  const parts = {
    database: beat.ok,
    queue: queue.ok,
    worker: lastBeat !== null && now.getTime() - lastBeat.getTime() < WORKER_GONE_MS,
  };
  const isReady = parts.database && parts.queue && parts.worker;
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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ ok: false }), ANSWER_WITHIN_MS);
  });
  const asked = work.then(
    (value) => ({ ok: true, value }) as const,
    () => ({ ok: false }) as const,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

const readinessSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  /** The parts that were checked, each with whether it responded. */
  parts: z.object({ database: z.boolean(), queue: z.boolean(), worker: z.boolean() }),
});
type Readiness = z.infer<typeof readinessSchema>;

const WORKER = 'worker';

/** When a worker last said that it lives, or null. */
async function findWorkerBeat(): Promise<Date | null> {
  const row = await globalDb().processHeartbeat.findUnique({ where: { name: WORKER } });
  return row?.lastAt ?? null;
}

/**
 * Records a heartbeat of this kind of process.
 *
 * @param gapSeconds a longer gap since the last heartbeat restarts the count
 */
export async function recordPresence(
  name: string,
  gapSeconds: number,
  now = new Date(),
): Promise<void> {
  await lookUp(Prisma.sql`
    insert into process_heartbeat (name, continuous_since, last_at) values (${name}, ${now}::timestamptz, ${now}::timestamptz)
    on conflict (name) do update set last_at = excluded.last_at,
      continuous_since = case when excluded.last_at - process_heartbeat.last_at > make_interval(secs => ${gapSeconds})
        then excluded.last_at else process_heartbeat.continuous_since end`);
}
