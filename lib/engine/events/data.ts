import type { Session } from '@/generated/prisma/client';
import { beforeCommit } from '@/lib/platform/db/raw';
import { updateRow } from '@/lib/platform/db/rows';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type CheckResultEvent, checkResultEvent } from '@/lib/protocol/events';
import { type KeptUnfinished, keptUnfinishedSchema, shownUnfinished } from './unfinished';

interface NewSessionEvent {
  /** Null for events of the control plane. */
  attemptId: string | null;
  attemptSeq: number | null;
  kind: string;
  at: Date;
  payload: unknown;
  isLate?: boolean;
  clockOffSeconds?: number | null;
}

/**
 * Appends events to a session's stream. Numbers come from a counter on the session row, whose lock
 * serializes writers, so a reader that has read up to a number has every event below it. Written
 * before the commit, which fails if the session is gone.
 */
export function appendSessionEvents(
  db: TenantDb,
  sessionId: string,
  events: readonly NewSessionEvent[],
): void {
  beforeCommit(db, writeEvents(db, sessionId, events));
}

async function writeEvents(
  db: TenantDb,
  sessionId: string,
  events: readonly NewSessionEvent[],
): Promise<void> {
  const rows = events.map((event, index) => ({
    place: index + 1,
    attemptId: event.attemptId,
    attemptSeq: event.attemptSeq,
    kind: event.kind,
    at: event.at.toISOString(),
    payload: event.payload,
    isLate: event.isLate ?? false,
    clockOff: event.clockOffSeconds ?? null,
  }));
  const [row] = await sqlRows(db)<Pick<Session, 'lastSeq'>>`with counter as (
        update session set last_seq = last_seq + ${rows.length}
        where organization_id = ${db.organizationId}::uuid and id = ${sessionId}::uuid returning last_seq
      ), stored as (
        insert into session_event (organization_id, session_id, seq, attempt_id, attempt_seq, kind, at, payload, is_late, clock_off_seconds)
        select ${db.organizationId}::uuid, ${sessionId}::uuid, c.last_seq - ${rows.length} + t.place,
          t."attemptId", t."attemptSeq", t.kind, t.at, t.payload, t."isLate", t."clockOff"
        from counter c, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as t(place int, "attemptId" uuid, "attemptSeq" int, kind text, at timestamptz, payload jsonb, "isLate" boolean, "clockOff" int)
      )
      select last_seq from counter`;
  if (!row) throw new Error('The session of an event is gone.');
}

/** Returns which of these calls of a session have a result, including refused ones. */
export async function listAnsweredCalls(
  db: TenantDb,
  sessionId: string,
  toolUseIds: readonly string[],
): Promise<string[]> {
  const rows = await sqlRows(db)<{
    id: string;
  }>`select distinct payload->>'toolUseId' as id from session_event
      where organization_id = ${db.organizationId}::uuid and session_id = ${sessionId}::uuid
        and kind = 'tool_result' and payload->>'toolUseId' = any(${[...toolUseIds]}::text[])`;
  return rows.map((row) => row.id);
}

/** Returns the results of checks that an attempt has called for, oldest first. */
export async function listCheckResults(
  db: TenantDb,
  sessionId: string,
  attemptId: string,
): Promise<CheckResultEvent[]> {
  const rows = await db.sessionEvent.findMany({
    where: { sessionId, attemptId, kind: 'check_result' },
    orderBy: { seq: 'asc' },
    select: { payload: true },
  });
  return rows.map(({ payload }) => checkResultEvent.parse(payload));
}

export function readUnfinished(stored: unknown): KeptUnfinished | null {
  return stored === null ? null : keptUnfinishedSchema.parse(stored);
}

/** Stores what a process left unfinished when it ended, as one event of the session's stream. */
export function keepUnfinishedAnswer(
  db: TenantDb,
  attempt: { id: string; sessionId: string; unfinishedAnswer: unknown },
  now: Date,
): void {
  if (attempt.unfinishedAnswer === null) return;
  const key = { organizationId: db.organizationId, id: attempt.id };
  beforeCommit(db, updateRow(db, 'attempt', key, { unfinishedAnswer: null }));
  const answer = shownUnfinished(attempt.unfinishedAnswer);
  if (answer === null) return;
  const payload = { kind: 'answer_part', ...answer };
  appendSessionEvents(db, attempt.sessionId, [
    { attemptId: attempt.id, attemptSeq: null, kind: 'answer_part', at: now, payload },
  ]);
}
