import { isWholeAnswer, pieceBeyond } from '@/lib/engine/events/pieces';
import type { UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import { type SessionStatus, sessionStatusSchema } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot, inTransaction } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { eventStream } from '@/lib/platform/live/event-stream';
import { findLastWords, findUnfinishedAnswer, getSessionState, listEventRows } from './data';
import type { SessionEventDto } from './schema';
import { toSessionEventDto } from './to-dto';

interface EventRange {
  /** Sequence number; events above it. */
  after?: number | undefined;
  /** Sequence number; the last events below it. */
  before?: number | undefined;
  limit: number;
}

interface EventPage {
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

const BATCH = 500;

/**
 * A server-sent stream of a session's events above `after`, each under its sequence number as id.
 * `session` events tell where the session stands, `end` that nothing more will come. `answer_part`
 * events have no number: they tell a message while it is written, until it comes whole.
 *
 * @throws NotFoundError before the stream begins
 */
export async function followEvents(
  scope: TenantScope,
  sessionId: string,
  options: { after: number; signal: AbortSignal; isStillAllowed: () => Promise<boolean> },
): Promise<Response> {
  const { projectId } = await listEvents(scope, sessionId, { limit: 1 });
  let after = options.after;
  let told = '';
  let shown: UnfinishedAnswer | null = null;
  let hasEnded = false;
  return eventStream({
    topics: [`s:${requireId('ses', sessionId)}`, `p:${projectId}`],
    signal: options.signal,
    isStillAllowed: options.isStillAllowed,
    onHint: async (send) => {
      for (;;) {
        const page = await listEvents(scope, sessionId, { after, limit: BATCH });
        for (const event of page.events) {
          send({ id: String(event.seq), data: event });
          after = event.seq;
        }
        if (page.events.some(isWholeAnswer)) shown = null;
        if (page.events.length === BATCH) continue;
        const piece = page.writing && pieceBeyond(shown, page.writing);
        if (piece) send({ event: 'answer_part', data: piece });
        shown = page.writing;
        const { status, statusText, isEnded, lastSeq } = page;
        const standing = JSON.stringify({ status, statusText });
        if (standing !== told) send({ event: 'session', data: { status, statusText } });
        told = standing;
        if (isEnded && after >= lastSeq && !hasEnded) {
          hasEnded = true;
          send({ event: 'end', data: { status, lastSeq } });
        }
        return;
      }
    },
  });
}

/** What a session that ended without an answer has left of one; null where nothing. */
export function getUnfinishedAnswer(scope: TenantScope, sessionId: string): Promise<string | null> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, (db) => findLastWords(db, scope.organizationId, id));
}
