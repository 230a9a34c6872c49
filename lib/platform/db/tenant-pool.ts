import { AsyncLocalStorage } from 'node:async_hooks';
import pg, { type PoolClient } from 'pg';

/**
 * Prisma's adapter opens a transaction by sending the text BEGIN. Adding SET LOCAL to that message
 * ties the tenant to the transaction without another round trip. Queries outside a transaction
 * carry no tenant, so row-level security gives them no tenant rows.
 */
export class TenantPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(
    callback: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): void;
  override connect(
    callback?: (
      error: Error | undefined,
      client: pg.PoolClient | undefined,
      done: (release?: unknown) => void,
    ) => void,
  ): Promise<pg.PoolClient> | undefined {
    // pool.query comes this way: a single statement, without a tenant.
    if (callback) {
      super.connect(callback);
      return undefined;
    }
    const organizationId = currentTenant();
    if (!organizationId) return Promise.reject(new Error('A transaction needs a tenant in scope.'));
    // Checked before a connection is acquired, which would leak otherwise.
    if (!UUID.test(organizationId)) return Promise.reject(new Error('The tenant is not a UUID.'));
    return super.connect().then((client) => withTenant(client, organizationId));
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function withTenant(client: pg.PoolClient, organizationId: string): pg.PoolClient {
  const send = client.query;
  const intercept = (query: unknown, ...rest: unknown[]) => {
    const isBegin = query === 'BEGIN' || (isObject(query) && query.text === 'BEGIN');
    if (!isBegin) return Reflect.apply(send, client, [query, ...rest]);
    Reflect.set(client, 'query', send);
    return Reflect.apply(send, client, [
      `BEGIN; SET LOCAL app.organization_id = '${organizationId}'`,
    ]);
  };
  Reflect.set(client, 'query', intercept);
  return client;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Makes a connection send a query only after the previous one was answered. Prisma asks for all the
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

// On globalThis like the clients that read it: Next loads this module once per bundle, and a
// client made by one bundle would not see the tenant that another one set.
const held = globalThis as unknown as { tierwatchTenant?: AsyncLocalStorage<string> };
held.tierwatchTenant ??= new AsyncLocalStorage<string>();
const storage = held.tierwatchTenant;

/** The organization of the transaction that is being opened, or undefined. */
export function currentTenant(): string | undefined {
  return storage.getStore();
}

export function runAsTenant<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  return storage.run(organizationId, work);
}
