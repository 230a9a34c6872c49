import {
  isWholeAnswer,
  pieceBeyond,
  type ShownAnswer,
  shownPart,
} from '@/lib/engine/events/pieces';
import type { AnswerPiece, UnfinishedAnswer } from '@/lib/engine/events/unfinished';
import { type SessionStatus, sessionStatusSchema } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot, inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { requireId } from '@/lib/platform/ids';
import { eventStream } from '@/lib/platform/live/event-stream';
import {
  findLastWords,
  findUnfinishedAnswer,
  getSessionState,
  hasEvents,
  listEventRows,
  listExistingSessions,
  listRequestUsageRows,
} from './data';
import type { SessionEventDto } from './schema';
import { toSessionEventDto } from './to-dto';

interface EventRange {
  /** Sequence number; events above it. */
  after?: number | undefined;
  /** Sequence number; the last events below it. */
  before?: number | undefined;
  limit: number;
}

/** Whether the events of a session are still stored. */
export const LOG_STATES = ['kept', 'deleted_by_retention'] as const;
export type LogState = (typeof LOG_STATES)[number];

interface EventPage {
  /** In order of their sequence numbers, which have no gaps until retention prunes the oldest. */
  events: SessionEventDto[];
  status: SessionStatus;
  statusText: string;
  /** What the agent is writing (conversations only); it will be one of the events once it is whole. */
  writing: UnfinishedAnswer | null;
  isEnded: boolean;
  logState: LogState;
  lastSeq: number;
  /** UUID. */
  projectId: string;
}

/** Returns events of a session and the session's state at the same moment. */
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
      logState: rows.length > 0 ? 'kept' : await readLogState(db, id, session),
      lastSeq: session.lastSeq,
      projectId: session.projectId,
    };
  });
}

/** Retention leaves none of a session's events, and nothing else deletes all of them. */
async function readLogState(
  db: TenantDb,
  sessionId: string,
  session: { endedAt: Date | null; lastSeq: number },
): Promise<LogState> {
  if (session.endedAt === null || session.lastSeq === 0) return 'kept';
  return (await hasEvents(db, sessionId)) ? 'kept' : 'deleted_by_retention';
}

/** All events that say what a request of the session used, up to now. */
export function listRequestUsages(
  scope: TenantScope,
  sessionId: string,
): Promise<SessionEventDto[]> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, async (db) =>
    (await listRequestUsageRows(db, id)).map(toSessionEventDto),
  );
}

const BATCH = 500;

/**
 * Returns a server-sent stream of a session's events above `after`, each under its sequence number
 * as id. `session` events carry the session's state, `end` marks the end of the stream.
 * `answer_part` events have no number: they carry a message while it is being written.
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
  let sent = '';
  let shown: ShownAnswer | null = null;
  let hasEnded = false;
  return eventStream({
    topics: [`s:${requireId('ses', sessionId)}`, `p:${projectId}`],
    owner: { subject: scope.actor.id, organizations: [scope.organizationId] },
    signal: options.signal,
    isStillAllowed: options.isStillAllowed,
    onHint: async (send) => {
      for (;;) {
        const news = await readSessionNews(scope, sessionId, { after, shown });
        for (const event of news.events) {
          send({ id: String(event.seq), data: event });
          after = event.seq;
        }
        if (news.hasMore) continue;
        if (news.piece) send({ event: 'answer_part', data: news.piece });
        shown = shownPart(news.writing);
        const { status, statusText, isComplete, logState } = news;
        const standing = JSON.stringify({ status, statusText });
        if (standing !== sent) send({ event: 'session', data: { status, statusText } });
        sent = standing;
        if (isComplete && !hasEnded) {
          hasEnded = true;
          send({ event: 'end', data: { status, lastSeq: after, logState } });
        }
        return;
      }
    },
  });
}

/** The session events a reader is missing, and the session's state. */
export interface SessionNews {
  events: SessionEventDto[];
  /** More events are there than fit in one answer. */
  hasMore: boolean;
  /** The next piece of what the agent is writing; null if the reader has it all. */
  piece: AnswerPiece | null;
  /** What the agent has written so far. */
  writing: UnfinishedAnswer | null;
  status: SessionStatus;
  statusText: string;
  /** The session ended and the reader has all its events: nothing more will come. */
  isComplete: boolean;
  logState: LogState;
}

/** What a reader has: all events up to `after`, and this much of what the agent is writing. */
export interface ReaderPosition {
  after: number;
  shown: ShownAnswer | null;
}

/**
 * Returns what a reader at this position lacks.
 *
 * @throws NotFoundError if there is no such session in the organization
 */
export async function readSessionNews(
  scope: TenantScope,
  sessionId: string,
  { after, shown }: ReaderPosition,
): Promise<SessionNews> {
  const page = await listEvents(scope, sessionId, { after, limit: BATCH });
  const { events, status, statusText, isEnded, logState, lastSeq, writing } = page;
  const reached = events.at(-1)?.seq ?? after;
  const hasMore = events.length === BATCH;
  const before = events.some(isWholeAnswer) ? null : shown;
  return {
    events,
    hasMore,
    piece: writing && !hasMore ? pieceBeyond(before, writing) : null,
    writing,
    status,
    statusText,
    isComplete: isEnded && (reached >= lastSeq || logState === 'deleted_by_retention'),
    logState,
  };
}

/** Returns which of these sessions, by UUID, belong to the organization. */
export function whichSessionsExist(
  scope: TenantScope,
  sessionIds: readonly string[],
): Promise<string[]> {
  if (sessionIds.length === 0) return Promise.resolve([]);
  return inTransaction(scope, (db) => listExistingSessions(db, sessionIds));
}

/** Returns the unfinished answer of a session that ended without one, or null. */
export function getUnfinishedAnswer(scope: TenantScope, sessionId: string): Promise<string | null> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, (db) => findLastWords(db, id));
}
