import { inTransaction } from '@/lib/db/tenant-db';
import { requireId } from '@/lib/ids/require-id';
import type { TenantScope } from '@/lib/tenancy/scope';
import { getSessionState, listEventRows } from '../data';
import type { SessionEventDto, SessionStatus } from '../schema';
import { sessionStatusSchema } from '../schema';
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
  return inTransaction(scope, async (db) => {
    // Read before the events: what is seen as ended has all its events below lastSeq.
    const session = await getSessionState(db, id);
    const rows = await listEventRows(db, id, { after: after ?? 0, before: before ?? null, limit });
    return {
      events: rows.map(toSessionEventDto),
      status: sessionStatusSchema.parse(session.status),
      statusText: session.statusText,
      isEnded: session.endedAt !== null,
      lastSeq: session.lastSeq,
      projectId: session.projectId,
    };
  });
}
