import type { Prisma, PrismaClient } from '@/generated/prisma/client';
import { systemClient, tenantClient } from './clients';

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

/** Runs one of the narrow lookups that are needed before a tenant is known (schema `app`). */
export function lookUp<Row>(sql: Prisma.Sql): Promise<Row[]> {
  return tenantClient().$queryRaw<Row[]>(sql);
}

/**
 * Returns the client of sweeps, which sees every organization. `reason` documents the call: work
 * for one organization belongs in inTransaction.
 */
export function systemDb(reason: string): PrismaClient {
  if (!reason) throw new Error('Work across organizations needs a reason.');
  return systemClient();
}
