import pg from 'pg';
import { eventually } from '../../bootstrap/eventually';

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Kills a server process of PostgreSQL, which then ends every other one, recovers and restarts
 * on the same port. Resolves once it takes connections again.
 */
export async function restartDatabase(superuserUrl: string): Promise<void> {
  const before = await ask<{ pid: number }>(
    superuserUrl,
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  const [checkpointer] = before;
  if (!checkpointer) throw new Error('PostgreSQL names no checkpointer.');
  process.kill(checkpointer.pid, 'SIGKILL');
  await eventually('PostgreSQL takes connections again', async () => {
    try {
      const [now] = await ask<{ pid: number }>(
        superuserUrl,
        `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
      );
      return now !== undefined && now.pid !== checkpointer.pid;
    } catch {
      return false;
    }
  });
}
