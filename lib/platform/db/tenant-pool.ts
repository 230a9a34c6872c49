import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { hasEnded, TenantConnection } from './tenant-connection';

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
    const tenant = storage.getStore();
    if (!tenant) return Promise.reject(new Error('A transaction needs a tenant in scope.'));
    const { organizationId } = tenant;
    // Checked before a connection is acquired, which would leak otherwise.
    if (!UUID.test(organizationId)) return Promise.reject(new Error('The tenant is not a UUID.'));
    return super.connect().then((client) => {
      const bound = withTenant(client, organizationId);
      tenant.connection = bound.connection;
      return bound.client;
    });
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Ties a checked-out connection to a tenant, until it is released.
 *
 * @returns the connection, and a client for Prisma. Both refuse queries after the transaction: after
 *   a timeout, Prisma may go on with the steps of a query that it had begun.
 */
function withTenant(
  client: pg.PoolClient,
  organizationId: string,
): { connection: TenantConnection; client: pg.PoolClient } {
  const send = (...query: unknown[]): unknown => Reflect.apply(client.query, client, query);
  const connection = new TenantConnection((statement) => client.query(statement));
  let isOver = false;
  const query = (...args: unknown[]): unknown => {
    const [first] = args;
    const text = isObject(first) ? first.text : first;
    if (isOver) return Promise.reject(hasEnded());
    if (text === 'COMMIT' || text === 'ROLLBACK') {
      isOver = true;
      connection.close();
    }
    if (text !== 'BEGIN') return send(...args);
    return send(`BEGIN; SET LOCAL app.organization_id = '${organizationId}'`);
  };
  const release = (error?: Error | boolean): void => {
    isOver = true;
    connection.close();
    client.release(error);
  };
  const overrides: Readonly<Record<string | symbol, unknown>> = { query, release };
  const bound = new Proxy(client, {
    get(target, name) {
      if (Object.hasOwn(overrides, name)) return overrides[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { connection, client: bound };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

interface Tenant {
  organizationId: string;
  /** Set once the transaction has its connection. */
  connection?: TenantConnection;
}

// On globalThis like the clients that read it: Next loads this module once per bundle, and a
// client made by one bundle would not see the tenant that another one set.
const held = globalThis as unknown as { tierwatchTenant?: AsyncLocalStorage<Tenant> };
held.tierwatchTenant ??= new AsyncLocalStorage<Tenant>();
const storage = held.tierwatchTenant;

/** The organization of the transaction that is being opened, or undefined. */
export function currentTenant(): string | undefined {
  return storage.getStore()?.organizationId;
}

/** Runs `work` for a tenant. It is given the connection of the transaction that it is in. */
export function runAsTenant<T>(
  organizationId: string,
  work: (connection: () => TenantConnection) => Promise<T>,
): Promise<T> {
  const tenant: Tenant = { organizationId };
  return storage.run(tenant, () =>
    work(() => {
      if (!tenant.connection) throw new Error('No transaction is open.');
      return tenant.connection;
    }),
  );
}
