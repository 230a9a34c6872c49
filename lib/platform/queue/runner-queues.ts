import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '../db/global-db';
import { env } from '../env';

/**
 * Lets the queue login of this installation's own runners take from these queues. Row-level
 * security hides every other queue from it. With Redis the login is bound to a prefix instead.
 */
export async function listQueuesForRunners(queues: readonly string[]): Promise<void> {
  if (env().redisUrl) return;
  const db = systemDb('the list of queues for the installation’s own runners');
  await db.$executeRaw(
    Prisma.sql`insert into bullmq_runner.runner_queue (queue)
      select unnest(${[...queues]}::text[]) on conflict do nothing`,
  );
}
