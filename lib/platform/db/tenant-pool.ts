import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

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
      tenant.connection = withTenant(client, organizationId);
      return client;
    });
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Send = (statement: pg.QueryConfig) => Promise<pg.QueryResult>;

/**
 * The connection of one transaction, for statements that don't need Prisma, which takes several
 * times as long as PostgreSQL for each. A statement is sent at once, behind those that are still
 * being carried out. It refuses statements once the transaction ends, because the connection then
 * goes to another tenant.
 */
export class TenantConnection {
  #send: Send | null;
  readonly #unanswered = new Set<Promise<unknown>>();
  readonly #lastWrites: (() => Promise<unknown>)[] = [];
  #failure: { error: unknown } | null = null;

  constructor(send: Send) {
    this.#send = send;
  }

  query(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    if (!this.#send) return Promise.reject(new Error('The transaction has ended.'));
    return this.#send(statement);
  }

  /** Takes a statement whose answer nobody waits for before `answered`. */
  expect(answer: Promise<unknown>): void {
    const noted = answer
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#unanswered.delete(noted));
    this.#unanswered.add(noted);
  }

  /** Takes a statement that is sent after all others, right before the commit. */
  expectLast(write: () => Promise<unknown>): void {
    this.#lastWrites.push(write);
  }

  /** Sends the last statements. */
  sendLast(): void {
    for (const write of this.#lastWrites.splice(0)) this.expect(write());
  }

  /**
   * Waits for the answers of all such statements.
   *
   * @throws the error of the first that failed
   */
  async answered(): Promise<void> {
    while (this.#unanswered.size > 0) await Promise.all(this.#unanswered);
    if (this.#failure) throw this.#failure.error;
  }

  close(): void {
    this.#send = null;
  }
}

/** Ties a checked-out connection to a tenant, until it is released. */
function withTenant(client: pg.PoolClient, organizationId: string): TenantConnection {
  const send: unknown = client.query;
  const release = client.release.bind(client);
  if (typeof send !== 'function') throw new Error('The connection cannot send queries.');
  const connection = new TenantConnection((statement) => Reflect.apply(send, client, [statement]));
  const intercept = (query: unknown, ...rest: unknown[]): unknown => {
    const text = isObject(query) ? query.text : query;
    if (text === 'COMMIT' || text === 'ROLLBACK') connection.close();
    if (text !== 'BEGIN') return Reflect.apply(send, client, [query, ...rest]);
    const begin = `BEGIN; SET LOCAL app.organization_id = '${organizationId}'`;
    return Reflect.apply(send, client, [begin]);
  };
  Reflect.set(client, 'query', intercept);
  client.release = (error) => {
    connection.close();
    Reflect.set(client, 'query', send);
    release(error);
  };
  return connection;
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
