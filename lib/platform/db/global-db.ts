import type { PrismaClient } from '@/generated/prisma/client';
import { systemClient, systemPool, tenantClient } from './clients';
import type { RawDb } from './raw';
import { rawConnection } from './tenant-db';

/** People and their sign-ins, which belong to no organization. */
export type GlobalDb = Pick<
  PrismaClient,
  | 'user'
  | 'account'
  | 'authSession'
  | 'passwordReset'
  | 'totpFactor'
  | 'passkey'
  | 'recoveryCode'
  | 'pendingSignIn'
  | 'rateLimit'
  | 'processHeartbeat'
>;

/** Returns the client without a tenant, which sees no rows of tenant tables. */
export function globalDb(): GlobalDb {
  return tenantClient() as unknown as GlobalDb;
}

/** For each statement: one that waits longer is tried again by the next sweep. */
const SYSTEM_TIMEOUT_MS = 20_000;

/**
 * Runs SQL of sweeps in one transaction that sees every organization; all or nothing. `reason` as
 * for `systemDb`.
 */
export async function inSystemTransaction<T>(
  reason: string,
  work: (db: RawDb) => Promise<T>,
): Promise<T> {
  if (!reason) throw new Error('Work across organizations needs a reason.');
  const client = await systemPool().connect();
  let failure: Error | undefined;
  // Without a listener, a connection that breaks between two statements would end the process.
  const note = (error: Error) => {
    failure = error;
  };
  client.on('error', note);
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${SYSTEM_TIMEOUT_MS}`);
    const done = await work({ [rawConnection]: client });
    await client.query('COMMIT');
    return done;
  } catch (error) {
    await client.query('ROLLBACK').catch(note);
    throw error;
  } finally {
    client.off('error', note);
    client.release(failure);
  }
}

/**
 * Returns the client of sweeps, which sees every organization. `reason` documents the call: work
 * for one organization belongs in inTransaction.
 */
export function systemDb(reason: string): PrismaClient {
  if (!reason) throw new Error('Work across organizations needs a reason.');
  return systemClient();
}
