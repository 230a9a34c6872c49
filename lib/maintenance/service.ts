import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/lib/db/global-db';

/** How long the stream of a session is kept; report, cost and decisions stay. */
export const LOG_RETENTION_DAYS = 30;
const IDEMPOTENCY_HOURS = 24;
const BATCH = 20_000;

/** Deletes what has passed its retention. */
export async function pruneRows(now = new Date()): Promise<void> {
  const db = systemDb('retention of every organization');
  const before = new Date(now.getTime() - LOG_RETENTION_DAYS * 86_400_000);
  for (;;) {
    const deleted = await db.$executeRaw(Prisma.sql`
      delete from session_event where ctid in (
        select e.ctid from session_event e join session s on s.organization_id = e.organization_id and s.id = e.session_id
        where s.ended_at < ${before}::timestamptz limit ${BATCH})`);
    if (deleted < BATCH) break;
  }
  await db.idempotencyKey.deleteMany({
    where: { createdAt: { lt: new Date(now.getTime() - IDEMPOTENCY_HOURS * 3_600_000) } },
  });
}
