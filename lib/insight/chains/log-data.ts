import type { TenantDb } from '@/lib/platform/db/tenant-db';

/** Of every session of the chain, in order: what its part of the log is made of. */
export function listLogSessions(db: TenantDb, chainId: string) {
  return db.session.findMany({
    where: { chainId },
    orderBy: { number: 'asc' },
    select: { id: true, report: true, endedAt: true, lastSeq: true },
  });
}

/** Events of one session with numbers above `after` and up to `upTo`. */
export interface EventWindow {
  sessionId: string;
  after: number;
  upTo: number;
}

/** The events of several windows, in one query, ascending within each session. */
export async function listEventsInWindows(db: TenantDb, windows: readonly EventWindow[]) {
  if (windows.length === 0) return [];
  return db.sessionEvent.findMany({
    where: {
      OR: windows.map(({ sessionId, after, upTo }) => ({
        sessionId,
        seq: { gt: after, lte: upTo },
      })),
    },
    orderBy: [{ sessionId: 'asc' }, { seq: 'asc' }],
  });
}
