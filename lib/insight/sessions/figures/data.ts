import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** What each process of a session reported, with what was booked for it. */
export function listReportedUsage(db: TenantDb, sessionId: string) {
  return db.attempt.findMany({
    where: { sessionId },
    orderBy: { number: 'asc' },
    select: {
      number: true,
      reportedUsage: true,
      ledger: { select: { model: true, costMicros: true } },
    },
  });
}
