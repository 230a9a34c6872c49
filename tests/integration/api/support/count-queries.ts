import pg from 'pg';
import { vi } from 'vitest';

/**
 * How many statements the work sends to PostgreSQL in transactions of an organization, BEGIN and
 * COMMIT included. Connections without such a transaction don't count, because jobs are enqueued
 * in the background, including those of earlier work.
 */
export async function countQueries(work: () => Promise<unknown>): Promise<number> {
  // Below the client, since the tenant's pool wraps its query method.
  const simple = vi.spyOn(pg.Connection.prototype, 'query');
  const extended = vi.spyOn(pg.Connection.prototype, 'execute');
  try {
    await work();
    const ofTenant = new Set<unknown>(
      simple.mock.contexts.filter((_, index) => beginsOfTenant(simple.mock.calls[index]?.[0])),
    );
    const sentBy = [...simple.mock.contexts, ...extended.mock.contexts];
    if (ofTenant.size === 0) throw new Error('The work had no transaction of an organization.');
    return sentBy.filter((connection) => ofTenant.has(connection)).length;
  } finally {
    simple.mockRestore();
    extended.mockRestore();
  }
}

function beginsOfTenant(text: unknown): boolean {
  return typeof text === 'string' && text.includes('SET LOCAL app.organization_id');
}
