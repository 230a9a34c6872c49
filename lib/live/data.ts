import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '@/lib/db/raw';
import type { TenantDb } from '@/lib/db/tenant-db';
import { LIVE_CHANNEL } from './channel';

/** Wakes the held-open request of a runner. */
export async function notifyRunner(db: TenantDb, runnerId: string): Promise<void> {
  const hint = JSON.stringify({ t: 'r', id: runnerId });
  await queryRaw(db, Prisma.sql`select pg_notify(${LIVE_CHANNEL}, ${hint})::text as sent`);
}
