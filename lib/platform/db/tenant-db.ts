import { tenantClient } from './clients';
import type { OrganizationId, TenantScope } from './scope';
import type { TenantConnection } from './tenant-connection';
import { runAsTenant } from './tenant-pool';

type Transaction = Parameters<Parameters<ReturnType<typeof tenantClient>['$transaction']>[0]>[0];

/**
 * A transaction of one organization. Every query is narrowed to it twice: by the client's
 * extension and by row-level security. Raw SQL goes through lib/platform/db/raw.ts.
 */
export type TenantDb = Omit<Transaction, `$${string}`> & {
  readonly [rawConnection]: TenantConnection;
  readonly organizationId: OrganizationId;
};

// One for the whole process: a build keeps this module once per bundle, and a subscriber of domain
// events gets the publisher's transaction.
export const rawConnection: unique symbol = Symbol.for('tierwatch.rawConnection');

/**
 * Runs `work` in one transaction of the scope's organization; all or nothing. Never nest it, and
 * make no network calls in it.
 */
export function inTransaction<T>(
  scope: Pick<TenantScope, 'organizationId'>,
  work: (db: TenantDb) => Promise<T>,
): Promise<T> {
  return asTenant(scope, work);
}

/**
 * The same for reading alone: every statement sees the rows as they were at the first one. For rows
 * that only make sense together, such as a status in one and its details in another.
 */
export function inSnapshot<T>(
  scope: Pick<TenantScope, 'organizationId'>,
  read: (db: TenantDb) => Promise<T>,
): Promise<T> {
  return asTenant(scope, read, { isolationLevel: 'RepeatableRead' });
}

function asTenant<T>(
  { organizationId }: Pick<TenantScope, 'organizationId'>,
  work: (db: TenantDb) => Promise<T>,
  options?: { isolationLevel: 'RepeatableRead' },
): Promise<T> {
  return runAsTenant(organizationId, async (connection) => {
    // Awaited inside: a Prisma promise is lazy and would run after the tenant is gone.
    const done = await tenantClient().$transaction(
      (transaction) => untilAnswered(asTenantDb(transaction, connection(), organizationId), work),
      options,
    );
    connection().committed();
    return done;
  });
}

/** Runs `work`, and waits for the writes that it left to the end of the transaction. */
async function untilAnswered<T>(db: TenantDb, work: (db: TenantDb) => Promise<T>): Promise<T> {
  try {
    const done = await work(db);
    await db[rawConnection].complete();
    return done;
  } catch (error) {
    throw await db[rawConnection].causeOf(error);
  }
}

function asTenantDb(
  transaction: Transaction,
  connection: TenantConnection,
  organizationId: OrganizationId,
): TenantDb {
  // Defined, not assigned: Prisma's proxy would catch an assignment and keep it on the client that
  // all transactions share, so that raw SQL of one tenant would run in the transaction of another.
  return Object.create(transaction, {
    [rawConnection]: { value: connection },
    organizationId: { value: organizationId },
  }) as TenantDb;
}
