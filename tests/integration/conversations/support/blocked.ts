import type pg from 'pg';
import { expect, vi } from 'vitest';

/** Until statements of others wait for a lock that `client` holds. */
export async function untilBlocked(client: pg.Client, statements = 1): Promise<void> {
  const query =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  const blocked = async () => {
    // Within a transaction the first answer would be repeated.
    await client.query('select pg_stat_clear_snapshot()');
    expect((await client.query(query)).rowCount).toBe(statements);
  };
  await vi.waitFor(blocked, { timeout: 60_000 });
}
