import pg from 'pg';
import { vi } from 'vitest';

/** How many statements the work sends to PostgreSQL, those around its transactions included. */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  // Below the client, since the tenant's pool wraps its query method.
  const simple = vi.spyOn(pg.Connection.prototype, 'query');
  const extended = vi.spyOn(pg.Connection.prototype, 'execute');
  try {
    await work();
    return simple.mock.calls.length + extended.mock.calls.length;
  } finally {
    simple.mockRestore();
    extended.mockRestore();
  }
}
