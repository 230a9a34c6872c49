import type { Prisma } from '@/generated/prisma/client';
import { rawTransaction, type TenantDb } from './tenant-db';

/**
 * SQL inside a tenant's transaction, where Prisma cannot say it well: numbering, batches of
 * events. Row-level security still holds under it. For data.ts files only.
 */
export function queryRaw<Row>(db: TenantDb, sql: Prisma.Sql): Promise<Row[]> {
  return db[rawTransaction].$queryRaw<Row[]>(sql);
}

export function executeRaw(db: TenantDb, sql: Prisma.Sql): Promise<number> {
  return db[rawTransaction].$executeRaw(sql);
}
