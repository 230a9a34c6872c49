import type { PoolClient } from 'pg';

/**
 * Makes a connection send a query only when the one before has its answer. Prisma asks for all the
 * relations of an `include` at once, also inside a transaction (prisma/orm#29468), and pg 9 will
 * refuse a second query that its own queue still takes today.
 */
export function sendOneAtATime(client: PoolClient): void {
  const send: unknown = client.query;
  if (typeof send !== 'function') throw new Error('The connection cannot send queries.');
  let last: Promise<unknown> = Promise.resolve();
  Reflect.set(client, 'query', (...query: unknown[]): unknown => {
    // With a callback it is the pool's own single statement, which has the connection to itself.
    if (typeof query.at(-1) === 'function') return Reflect.apply(send, client, query);
    const answer = last.then((): unknown => Reflect.apply(send, client, query));
    last = answer.catch(() => undefined);
    return answer;
  });
}
