import type { Prisma, PrismaClient } from '@/generated/prisma/client';
import { systemClient, tenantClient, tenantPool } from './clients';
import { asStatement } from './statement';

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
export async function lookUp<Row extends object>(sql: Prisma.Sql): Promise<Row[]> {
  const { rows } = await tenantPool().query<Row>(asStatement(sql));
  return rows;
}

/**
 * Returns the client of sweeps, which sees every organization. `reason` documents the call: work
 * for one organization belongs in inTransaction.
 */
export function systemDb(reason: string): PrismaClient {
  if (!reason) throw new Error('Work across organizations needs a reason.');
  return systemClient();
}
