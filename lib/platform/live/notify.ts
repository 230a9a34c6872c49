import { Prisma } from '@/generated/prisma/client';
import { queryRaw } from '../db/raw';
import type { TenantDb } from '../db/tenant-db';
import { LIVE_CHANNEL } from './hint';

/** Tells who follows a session of what does not stand in its stream; the stream tells of itself. */
export async function notifySession(db: TenantDb, sessionId: string): Promise<void> {
  const hint = JSON.stringify({ t: 's', id: sessionId });
  await queryRaw(db, Prisma.sql`select pg_notify(${LIVE_CHANNEL}, ${hint})::text as sent`);
}

/** Wakes the held-open request of a runner. */
export async function notifyRunner(db: TenantDb, runnerId: string): Promise<void> {
  const hint = JSON.stringify({ t: 'r', id: runnerId });
  await queryRaw(db, Prisma.sql`select pg_notify(${LIVE_CHANNEL}, ${hint})::text as sent`);
}
