import { recordOf } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
import type { SessionEventDto } from '../sessions/schema';
import { toSessionEventDto } from '../sessions/to-dto';
import { listEventsInWindows, listLogSessions } from './log-data';
import { shortenEvent } from './shorten-event';

/** Events of each session that a page of its chain begins with. */
const EVENTS_PER_SESSION = 400;

/** A session's part of its chain's log. */
export interface SessionLog {
  /** `ses_…` */
  sessionId: string;
  /** Long outputs are shortened. */
  events: SessionEventDto[];
  /** Events up to this number are left out: the session runs, and its newest events count. */
  after: number;
  /** Number of its newest event; above that of the last of `events`, an ended session has more. */
  lastSeq: number;
  isEnded: boolean;
  /** As stored; null when the tier handed in none. */
  report: Record<string, unknown> | null;
}

/**
 * Returns the log of every session of a chain, in two queries and bounded: of an ended session the
 * first events, of one that runs the newest.
 */
export function getChainLog(scope: TenantScope, chainId: string): Promise<SessionLog[]> {
  const id = requireId('chn', chainId);
  // Of one moment: what is seen as ended has all its events.
  return inSnapshot(scope, async (db) => {
    const sessions = await listLogSessions(db, id);
    const windows = sessions.map(({ id: sessionId, endedAt, lastSeq }) => {
      const after = endedAt ? 0 : Math.max(0, lastSeq - EVENTS_PER_SESSION);
      return { sessionId, after, upTo: after + EVENTS_PER_SESSION };
    });
    const events = await listEventsInWindows(db, windows);
    return sessions.map((session, index) => ({
      sessionId: encodeId('ses', session.id),
      events: events
        .filter((event) => event.sessionId === session.id)
        .map((event) => shortenEvent(toSessionEventDto(event))),
      after: windows[index]?.after ?? 0,
      lastSeq: session.lastSeq,
      isEnded: session.endedAt !== null,
      report: recordOf(session.report),
    }));
  });
}
