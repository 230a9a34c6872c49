import type { UnfinishedAnswer } from '@/lib/engine/events/unfinished/schema';
import { type SessionStatus, sessionStatusSchema } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids/require-id';
import { findUnfinishedAnswer, getSessionState, listEventRows } from '../data';
import type { SessionEventDto } from '../schema';
import { toSessionEventDto } from '../to-dto';

export interface EventRange {
  /** Sequence number; events above it. */
  after?: number | undefined;
  /** Sequence number; the last events below it. */
  before?: number | undefined;
  limit: number;
}

export interface EventPage {
  /** In order of their sequence numbers, which have no gaps until retention prunes the oldest. */
  events: SessionEventDto[];
  status: SessionStatus;
  statusText: string;
  /** What the agent is writing (conversations only); it will be one of the events once it is whole. */
  writing: UnfinishedAnswer | null;
  isEnded: boolean;
  lastSeq: number;
  /** UUID. */
  projectId: string;
}

/** Events of a session, with where the session stands at the same moment. */
export function listEvents(
  scope: TenantScope,
  sessionId: string,
  { after, before, limit }: EventRange,
): Promise<EventPage> {
  const id = requireId('ses', sessionId);
  // Of one moment: what is seen as ended has all its events, and what is being written is in none.
  return inSnapshot(scope, async (db) => {
    const session = await getSessionState(db, id);
    const rows = await listEventRows(db, id, { after: after ?? 0, before: before ?? null, limit });
    return {
      events: rows.map(toSessionEventDto),
      status: sessionStatusSchema.parse(session.status),
      statusText: session.statusText,
      writing: session.kind === 'ask' ? await findUnfinishedAnswer(db, id) : null,
      isEnded: session.endedAt !== null,
      lastSeq: session.lastSeq,
      projectId: session.projectId,
    };
  });
}
