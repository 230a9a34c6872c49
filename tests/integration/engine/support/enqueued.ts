/** Which jobs wait in the runners' queues, on either backend. */
import { Redis } from 'ioredis';
import pg from 'pg';
import type { TestDatabase } from '@/tests/support/database';

/** Ids of the attempts that were enqueued and not taken, with the queue of each. */
export async function listEnqueued(
  database: TestDatabase,
): Promise<{ queue: string; attemptId: string }[]> {
  if (database.redisUrl) return listOnRedis(database.redisUrl);
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ queue: string; attemptId: string }>(
      'select queue, id as "attemptId" from bullmq_runner.job',
    );
    return rows;
  } finally {
    await client.end();
  }
}

async function listOnRedis(redisUrl: string) {
  const redis = new Redis(redisUrl);
  try {
    const keys = await redis.keys('bullmq_runner:*');
    return keys.flatMap((key) => {
      const [, queue, id] = key.split(':');
      return queue && id && /^[0-9a-f-]{36}$/.test(id) ? [{ queue, attemptId: id }] : [];
    });
  } finally {
    redis.disconnect();
  }
}
