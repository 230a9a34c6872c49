import { recordOf } from '@/lib/platform/db/raw';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inSnapshot, type TenantDb } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
import type { SessionEventDto } from '../sessions/schema';
import { toSessionEventDto } from '../sessions/to-dto';

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

/** Of every session of the chain, in order: what its part of the log is made of. */
function listLogSessions(db: TenantDb, chainId: string) {
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
async function listEventsInWindows(db: TenantDb, windows: readonly EventWindow[]) {
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

const HEAD_LINES = 3;
const TAIL_LINES = 11;
const MAX_LINE = 400;

/**
 * Returns the event without what the page of a chain doesn't draw: command lines, prompts, the raw
 * report, and the middle of a long output. The session's own log shows everything.
 */
export function shortenEvent(event: SessionEventDto): SessionEventDto {
  const payload = shortenPayload(event.kind, event.payload);
  return payload === event.payload ? event : { ...event, payload };
}

type Payload = SessionEventDto['payload'];

function shortenPayload(kind: string, payload: Payload): Payload {
  switch (kind) {
    case 'command':
      return { kind, argv: [] };
    case 'init':
      return { kind, cliVersion: payload.cliVersion, model: payload.model, tools: [] };
    case 'checkpoint':
      return { kind, trigger: payload.trigger };
    case 'result':
      return { ...payload, text: '' };
    case 'tool_call':
      return payload.tool === 'StructuredOutput' ? { ...payload, input: {} } : payload;
    case 'tool_result':
      return {
        ...payload,
        stdout: shortenOutput(payload.stdout),
        stderr: shortenOutput(payload.stderr),
        // Shown only where the output didn't come as a stream.
        content: typeof payload.stdout === 'string' ? '' : shortenOutput(payload.content),
      };
    default:
      return payload;
  }
}

/** The first 3 and last 11 lines, each up to 400 characters, with the number of those between. */
export function shortenOutput(output: unknown): unknown {
  if (typeof output !== 'string') return output;
  const lines = output.split('\n').map((line) =>
    // A color code may be cut with it, but none is left open beyond its line.
    line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line,
  );
  const hidden = lines.length - HEAD_LINES - TAIL_LINES;
  if (hidden < 2) return lines.join('\n');
  return [
    ...lines.slice(0, HEAD_LINES),
    `… ${hidden.toLocaleString('en')} more lines in the session’s own log …`,
    ...lines.slice(-TAIL_LINES),
  ].join('\n');
}
