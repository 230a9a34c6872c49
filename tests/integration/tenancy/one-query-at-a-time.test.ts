import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import { fillTenant } from './support/filled-tenant';

const send: unknown = pg.Client.prototype.query;
const busy = new WeakSet<object>();
const overtaking: unknown[] = [];

/** Notes every query that a connection is given before it has answered the one before. */
function watched(this: pg.Client, ...query: unknown[]): unknown {
  const answer: unknown = Reflect.apply(send as typeof this.query, this, query);
  if (!(answer instanceof Promise)) return answer;
  if (busy.has(this)) overtaking.push(query[0]);
  busy.add(this);
  return answer.finally(() => busy.delete(this));
}

beforeAll(() => {
  Reflect.set(pg.Client.prototype, 'query', watched);
});
afterAll(() => {
  Reflect.set(pg.Client.prototype, 'query', send);
});

useTestDatabase();

describe('a transaction', () => {
  it('sends one query at a time, also for the relations of an include', async () => {
    const { alice, chainId } = await fillTenant();
    const chain = await inTransaction(alice, (db) =>
      db.chain.findUniqueOrThrow({
        where: { id: chainId },
        include: { project: true, sessions: { include: { attempts: true, decisions: true } } },
      }),
    );
    expect(chain.sessions.map((session) => session.attempts.length)).toEqual([1, 1]);
    expect(overtaking).toEqual([]);
  });
});
