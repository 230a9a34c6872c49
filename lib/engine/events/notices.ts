import { v7 as uuidv7 } from 'uuid';
import { beforeCommit } from '@/lib/platform/db/raw';
import { insertRows } from '@/lib/platform/db/rows';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { Level } from '@/lib/protocol/events';
import { appendSessionEvents } from './data';

export interface NewNotice {
  projectId: string;
  chainId: string | null;
  sessionId: string | null;
  level: Level;
  /** A stable code in capitals. */
  code: string;
  message: string;
  service?: string | null;
}

/**
 * Writes notices for people before the commit: an entry of the feed and, if a session is named, an
 * event of its stream.
 */
export function recordNotices(db: TenantDb, notices: readonly NewNotice[], now: Date): void {
  if (notices.length === 0) return;
  const rows = notices.map((notice) => ({
    id: uuidv7(),
    organizationId: db.organizationId,
    projectId: notice.projectId,
    chainId: notice.chainId,
    sessionId: notice.sessionId,
    level: notice.level,
    code: notice.code,
    message: notice.message,
    service: notice.service ?? null,
    at: now,
  }));
  beforeCommit(db, insertRows(db, 'projectEvent', rows));
  const sessionIds = new Set(notices.flatMap((notice) => notice.sessionId ?? []));
  for (const sessionId of sessionIds) {
    const own = notices.filter((notice) => notice.sessionId === sessionId);
    appendSessionEvents(
      db,
      sessionId,
      own.map((notice) => ({
        attemptId: null,
        attemptSeq: null,
        kind: 'notice',
        at: now,
        payload: {
          kind: 'notice',
          level: notice.level,
          code: notice.code,
          message: notice.message,
          service: notice.service ?? null,
        },
      })),
    );
  }
}
