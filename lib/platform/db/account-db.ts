import { NIL } from 'uuid';
import type { GlobalDb } from './global-db';
import type { OrganizationId } from './scope';
import { inTransaction, type rawConnection, type TenantDb } from './tenant-db';

/** A transaction about one person's account. It sees no rows of any organization. */
export type AccountDb = GlobalDb & Pick<TenantDb, typeof rawConnection>;

/** Nobody's: row-level security gives a transaction with it no tenant rows. */
const NO_ORGANIZATION = NIL as OrganizationId;

/**
 * Runs `work` in one transaction; all or nothing. For changes of an account that its audit entries
 * belong to. Never nest it, and make no network calls in it.
 */
export function inAccountTransaction<T>(work: (db: AccountDb) => Promise<T>): Promise<T> {
  return inTransaction({ organizationId: NO_ORGANIZATION }, (db) =>
    work(db as unknown as AccountDb),
  );
}
