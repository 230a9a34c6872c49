import type pg from 'pg';
import { expect, vi } from 'vitest';

/** Until a statement of somebody else waits for a lock that `client` holds. */
export async function untilBlocked(client: pg.Client): Promise<void> {
  const query =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await vi.waitFor(async () => expect((await client.query(query)).rowCount).toBe(1), {
    timeout: 20_000,
  });
}
