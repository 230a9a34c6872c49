import { Prisma } from '@/generated/prisma/client';
import { lookUp, systemDb } from '../db/global-db';
import { env } from '../env';
import { LIVE_CHANNEL } from '../live/hint';

/**
 * Lets the queue login of this installation's own runners read these queues. Row-level security
 * hides every other queue from it. With Redis the login is bound to a prefix instead.
 */
export async function listQueuesForRunners(queues: readonly string[]): Promise<void> {
  if (env().redisUrl) return;
  const db = systemDb('the list of queues for the installation’s own runners');
  await db.$executeRaw(
    Prisma.sql`insert into bullmq_runner.runner_queue (queue)
      select unnest(${[...queues]}::text[]) on conflict do nothing`,
  );
}

/** PostgreSQL accepts payloads below 8,000 bytes; a queue's name has at most 43. */
const QUEUES_PER_HINT = 150;

/** Wakes the requests that are held open for attempts of these queues. */
export async function notifyQueues(queues: readonly string[]): Promise<void> {
  const names = [...new Set(queues)];
  const hints: string[] = [];
  for (let at = 0; at < names.length; at += QUEUES_PER_HINT) {
    hints.push(JSON.stringify({ t: 'q', queues: names.slice(at, at + QUEUES_PER_HINT) }));
  }
  if (hints.length === 0) return;
  await lookUp(
    Prisma.sql`select pg_notify(${LIVE_CHANNEL}, hint)::text as sent from unnest(${hints}::text[]) as hint`,
  );
}
