/** Turns stored requests into alerts, and publishes what changed. */

import { v7 as uuidv7 } from 'uuid';
import { isDatabaseAway } from '@/lib/platform/db/database-away';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { publish } from '@/lib/platform/domain-events';
import { logger } from '@/lib/platform/logger';
import { enqueueAll, type PendingJob } from '@/lib/platform/queue/enqueue';
import { listServiceRows } from '@/lib/projects/project-rows';
import type { ReadPayload } from './adapters/incoming';
import { readBody } from './adapters/read-body';
import { signalsChanged } from './domain-events';
import { serviceMatcher } from './match-service';
import { applySignal, openBook, type SignalBook } from './occurrences';
import {
  endRequests,
  listWaitingRequests,
  loadBodies,
  postponeRequest,
  pruneSourceRequests,
  type RequestEnd,
  type WaitingRequest,
} from './request-data';
import { analyzeSignals, listOccurrences, saveOccurrences } from './signal-data';
import { lockSource } from './source-data';

/** The sweep takes what the process that accepted it hasn't processed by then. */
export const SWEEP_AFTER_MS = 2_000;

/** Of one transaction: a flood is merged, and its memory and time are bounded as for one large body. */
const MAX_REQUESTS = 100;
const MAX_BODY_BYTES = 1_048_576;

/** So many new alerts at once may be unlike what PostgreSQL's statistics say. */
const FLOOD = 500;

const FIRST_RETRY_MS = 5_000;
const LAST_RETRY_MS = 600_000;

/** Sources that this process works on, and whether something arrived meanwhile. */
const held = globalThis as unknown as { tierwatchAlerts?: Map<string, { isAskedAgain: boolean }> };

/**
 * Processes what a source has sent, soon and without making the caller wait. One transaction of a
 * source runs at a time in this process, so a flood uses one connection.
 */
export function processInBackground(scope: TenantScope, sourceId: string): void {
  held.tierwatchAlerts ??= new Map();
  const running = held.tierwatchAlerts.get(sourceId);
  if (running) {
    running.isAskedAgain = true;
    return;
  }
  const state = { isAskedAgain: false };
  held.tierwatchAlerts.set(sourceId, state);
  const work = async () => {
    do {
      state.isAskedAgain = false;
      await processSource(scope, sourceId);
    } while (state.isAskedAgain);
  };
  work()
    // The rows are there, and the sweep tries again.
    .catch((error: unknown) =>
      logger.warn({ error: String(error), sourceId }, 'alerts not processed, will retry'),
    )
    .finally(() => held.tierwatchAlerts?.delete(sourceId));
}

/** Processes everything that a source has sent until now. */
export async function processSource(
  scope: TenantScope,
  sourceId: string,
  now?: Date,
): Promise<void> {
  let done = 1;
  while (done > 0) done = await processBatch(scope, sourceId, now ?? new Date());
}

/** @returns how many requests have left the queue, or were put into the future */
async function processBatch(scope: TenantScope, sourceId: string, now: Date): Promise<number> {
  try {
    return await applyRequests(scope, sourceId, now, MAX_REQUESTS);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    logger.warn({ error: String(error), sourceId }, 'alerts: batch failed, one by one');
  }
  try {
    return await applyRequests(scope, sourceId, now, 1);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    return postponeFirst(scope, sourceId, now, error);
  }
}

/** One that fails by itself must not hold up those behind it. */
async function postponeFirst(
  scope: TenantScope,
  sourceId: string,
  now: Date,
  error: unknown,
): Promise<number> {
  return inTransaction(scope, async (db) => {
    const [first] = await listWaitingRequests(db, sourceId, { now, limit: 1 });
    if (!first) return 0;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** first.attempts, LAST_RETRY_MS);
    await postponeRequest(db, first.id, new Date(now.getTime() + waitMs));
    logger.error({ err: error, sourceId, requestId: first.id }, 'alerts: request failed');
    return 1;
  });
}

async function applyRequests(
  scope: TenantScope,
  sourceId: string,
  now: Date,
  limit: number,
): Promise<number> {
  const { count, jobs, inserted } = await inTransaction(scope, async (db) => {
    const source = await lockSource(db, sourceId);
    const waiting = source ? await listWaitingRequests(db, sourceId, { now, limit }) : [];
    const batch = withinBytes(waiting);
    if (!source || batch.length === 0) return { count: 0, jobs: [], inserted: 0 };
    const bodies = await loadBodies(
      db,
      batch.map(({ id }) => id),
    );
    const read = batch.map(({ id, receivedAt }) => ({
      id,
      receivedAt,
      payload: readBody(bodies.get(id) ?? new Uint8Array(), { ...source, receivedAt }),
    }));
    const at = { organizationId: scope.organizationId, projectId: source.projectId, sourceId };
    const book = await applyAll(db, at, source.mapping.serviceNames, read);
    await endRequests(db, read.map(endOf), now);
    await pruneSourceRequests(db, sourceId);
    const jobs = await publishChanges(db, scope, at.projectId, book, now);
    return { count: batch.length, jobs, inserted: book.inserted.size };
  });
  await enqueueAll(jobs);
  if (inserted >= FLOOD) await renewStatistics();
  return count;
}

/** What was stored stays stored if this fails: autovacuum does the same a little later. */
async function renewStatistics(): Promise<void> {
  await analyzeSignals().catch((error: unknown) =>
    logger.warn({ error: String(error) }, 'statistics about alerts not renewed'),
  );
}

/** At least one, however large it is. */
function withinBytes(waiting: readonly WaitingRequest[]): WaitingRequest[] {
  let bytes = 0;
  return waiting.filter(({ bodyBytes }, index) => {
    bytes += bodyBytes;
    return index === 0 || bytes <= MAX_BODY_BYTES;
  });
}

interface ReadRequest {
  id: string;
  receivedAt: Date;
  payload: ReadPayload;
}

async function applyAll(
  db: TenantDb,
  at: { organizationId: string; projectId: string; sourceId: string },
  serviceNames: Readonly<Record<string, string>> | undefined,
  requests: readonly ReadRequest[],
): Promise<SignalBook> {
  const messages = requests.flatMap(({ receivedAt, payload }) =>
    payload.kind === 'alerts'
      ? payload.signals.map((signal) => ({ alert: signal, receivedAt }))
      : [],
  );
  if (messages.length === 0) return openBook([]);
  const fingerprints = [...new Set(messages.map(({ alert }) => alert.fingerprint))];
  const startsAt = [...new Set(messages.flatMap(({ alert }) => alert.startsAt ?? []))];
  const book = openBook(await listOccurrences(db, at.sourceId, { fingerprints, startsAt }));
  const match = serviceMatcher(await listServiceRows(db, at.projectId), serviceNames);
  for (const { alert, receivedAt } of messages) {
    const newId = () => uuidv7({ msecs: receivedAt.getTime() });
    applySignal(book, alert, receivedAt, { match, newId });
  }
  const all = [...book.known.values()].flat();
  await saveOccurrences(db, at, {
    inserted: all.filter(({ id }) => book.inserted.has(id)),
    updated: all.filter(({ id }) => book.updated.has(id) && !book.inserted.has(id)),
  });
  return book;
}

/** Publishes what changed, in the transaction in which it is stored. */
export async function publishChanges(
  db: TenantDb,
  scope: TenantScope,
  projectId: string,
  { changes }: Pick<SignalBook, 'changes'>,
  now: Date,
): Promise<PendingJob[]> {
  if (changes.length === 0) return [];
  return publish(db, scope, signalsChanged, { projectId, changes }, now);
}

function endOf({ id, payload }: ReadRequest): RequestEnd {
  const counts = { alertCount: 0, skippedCount: 0, truncatedCount: 0 };
  if (payload.kind === 'unparsed') {
    return { id, state: 'unparsed', reason: payload.reason, result: null, ...counts };
  }
  if (payload.kind !== 'alerts') {
    return { id, state: 'processed', reason: null, result: payload.kind, ...counts };
  }
  const { signals, skipped, truncated } = payload;
  return {
    id,
    state: 'processed',
    reason: null,
    result: 'alerts',
    alertCount: signals.length,
    skippedCount: skipped,
    truncatedCount: truncated,
  };
}
