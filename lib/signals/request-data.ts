import { deletePast, inTurns, listDue } from '@/lib/platform/db/due';
import { given, query, sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';
import type { ParseFailure, Rejection, RequestResult } from './request-schema';

interface NewRequest {
  id: string;
  sourceId: string;
  body: Uint8Array;
  headers: Record<string, string>;
  dedupKey: string | null;
  nextAttemptAt: Date;
  receivedAt: Date;
}

/** Stores a request; a repeat of one that is there only counts. */
export async function storeRequest(db: TenantDb, request: NewRequest): Promise<void> {
  const { id, sourceId, body, headers, dedupKey, nextAttemptAt, receivedAt } = request;
  await sqlChanges(db)`insert into signal_request
        (id, organization_id, source_id, state, body, body_bytes, headers, dedup_key, next_attempt_at, received_at)
      values (${id}, ${db.organizationId}, ${sourceId}, 'received', ${Buffer.from(body)}, ${body.byteLength},
        ${JSON.stringify(headers)}::jsonb, ${dedupKey}, ${nextAttemptAt}, ${receivedAt})
      on conflict (organization_id, source_id, dedup_key) do update set repeats = signal_request.repeats + 1`;
}

/** Stores that a request was rejected, without its body; the same reason of the same hour only counts. */
export async function storeRejection(
  db: TenantDb,
  rejection: {
    id: string;
    sourceId: string;
    reason: Rejection;
    bodyBytes: number;
    headers: Record<string, string>;
    at: Date;
  },
): Promise<void> {
  const { id, sourceId, reason, bodyBytes, headers, at } = rejection;
  const slot = `${reason}:${at.toISOString().slice(0, 13)}`;
  await sqlChanges(db)`insert into signal_request
        (id, organization_id, source_id, state, reason, body_bytes, headers, dedup_key, received_at, processed_at)
      values (${id}, ${db.organizationId}, ${sourceId}, 'rejected', ${reason}, ${bodyBytes},
        ${JSON.stringify(headers)}::jsonb, ${slot}, ${at}, ${at})
      on conflict (organization_id, source_id, dedup_key) do update set repeats = signal_request.repeats + 1,
        body_bytes = excluded.body_bytes, headers = excluded.headers, processed_at = excluded.processed_at`;
}

export interface WaitingRequest {
  id: string;
  /** Failed ones. */
  attempts: number;
  bodyBytes: number;
  receivedAt: Date;
}

/** Returns requests that wait to be processed, oldest first; a failed one only when it is due. */
export function listWaitingRequests(
  db: TenantDb,
  sourceId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<WaitingRequest[]> {
  return db.signalRequest.findMany({
    where: {
      sourceId,
      state: 'received',
      OR: [{ attempts: 0 }, { nextAttemptAt: { lte: now } }],
    },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true, attempts: true, bodyBytes: true, receivedAt: true },
  });
}

/** Returns the bodies of requests by their ids. */
export async function loadBodies(
  db: TenantDb,
  ids: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const rows = await db.signalRequest.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, body: true },
  });
  return new Map(rows.map(({ id, body }) => [id, body ?? new Uint8Array()]));
}

export interface RequestEnd {
  id: string;
  state: 'processed' | 'unparsed';
  reason: ParseFailure | null;
  result: RequestResult | null;
  alertCount: number;
  skippedCount: number;
  truncatedCount: number;
}

export async function endRequests(
  db: TenantDb,
  ends: readonly RequestEnd[],
  now: Date,
): Promise<void> {
  await sqlChanges(
    db,
  )`update signal_request r set state = t.state, reason = t.reason, result = t.result, alert_count = t.alert_count,
        skipped_count = t.skipped_count, truncated_count = t.truncated_count, next_attempt_at = null, processed_at = ${now}
      from ${given('signalRequest', ends)} t
      where r.organization_id = ${db.organizationId} and r.id = t.id and r.state = 'received'`;
}

/** Puts a request that can't be processed now into the future, so that it holds up no others. */
export async function postponeRequest(
  db: TenantDb,
  requestId: string,
  nextAttemptAt: Date,
): Promise<void> {
  await db.signalRequest.updateMany({
    where: { id: requestId, state: 'received' },
    data: { attempts: { increment: 1 }, nextAttemptAt },
  });
}

/** How many of each state a source keeps; the others' ids stay while the sender may repeat them. */
const KEPT_REQUESTS = 200;

/** Deletes what a source has sent before its newest requests, as long as it isn't needed. */
export async function pruneSourceRequests(db: TenantDb, sourceId: string): Promise<void> {
  for (const state of ['processed', 'unparsed']) {
    await sqlChanges(db)`with old as (
          select id, dedup_key from signal_request
          where organization_id = ${db.organizationId} and source_id = ${sourceId} and state = ${state}
            and id < (select id from signal_request
              where organization_id = ${db.organizationId} and source_id = ${sourceId} and state = ${state}
              order by id desc offset ${KEPT_REQUESTS - 1} limit 1)
        ), emptied as (
          update signal_request r set body = null from old
          where r.organization_id = ${db.organizationId} and r.id = old.id and old.dedup_key is not null and r.body is not null
        )
        delete from signal_request r using old
        where r.organization_id = ${db.organizationId} and r.id = old.id and old.dedup_key is null`;
  }
}

/** Deletes up to `limit` requests, of any organization, that were processed before a time. */
export function deleteOldRequests(before: Date, limit: number): Promise<number> {
  return deletePast(
    'retention of alert requests',
    'signalRequest',
    (row) => row('processedAt', '<', before),
    limit,
  );
}

const SOURCES_AT_ONCE = 200;

/** Returns sources with requests that nobody has processed in time, organizations in turns. */
export const listSourcesWithWork = inTurns(SOURCES_AT_ONCE, (without, now: Date) =>
  listDue(
    'alert requests that wait',
    query
      .selectFrom('signalRequest')
      .select(['sourceId as id', 'organizationId'])
      .select(({ fn }) => fn.min('nextAttemptAt').as('dueAt'))
      .where('state', '=', 'received')
      .where('nextAttemptAt', '<=', now)
      .groupBy(['sourceId', 'organizationId']),
    { limit: SOURCES_AT_ONCE, without },
  ),
);

/** Returns requests of a source, newest first; bodies only of those that can't be read. */
export async function listRequestRows(db: TenantDb, sourceId: string, place: Place) {
  const { id, ...page } = pageArgs(place);
  const where = { sourceId, id };
  const rows = await db.signalRequest.findMany({ where, ...page, omit: { body: true } });
  const unread = rows.filter(({ state }) => state === 'unparsed').map(({ id }) => id);
  const bodies = unread.length > 0 ? await loadBodies(db, unread) : new Map<string, Uint8Array>();
  return rows.map((row) => ({ ...row, body: bodies.get(row.id) ?? null }));
}
export type RequestRow = Awaited<ReturnType<typeof listRequestRows>>[number];
