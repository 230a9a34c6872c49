import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { deriveKey, open, seal } from '../crypto/secret-box';
import { daysBefore } from '../db/batches';
import type { TenantScope } from '../db/scope';
import { inTransaction, type TenantDb } from '../db/tenant-db';
import { env } from '../env';
import { ConflictError, InvalidError } from '../errors';
import {
  deleteAnswersBelow,
  deleteIdempotencyKeys,
  deleteReservation,
  findReservation,
  insertReservation,
  storeAnswer,
  storeTarget,
  takeOver,
} from './idempotency-data';

interface IdempotentAnswer extends StoredAnswer {
  isReplay: boolean;
}

interface IdempotentWork {
  run(): Promise<StoredAnswer>;
  /**
   * Answers for a first request that was carried out and whose answer was lost, from the target
   * that its transaction recorded. Undefined where an answer can’t be given a second time.
   */
  answerAgain: ((target: string) => Promise<StoredAnswer>) | undefined;
}

/** The one request that may act under a key. */
export interface Reservation {
  request: IdempotentRequest;
  reservedAt: Date;
}

/**
 * Reserves the key, runs, stores the answer. A repeat within 24 h gets the stored answer; while
 * the first still runs ConflictError, with another body InvalidError. What fails is not stored,
 * so it may be tried again with the same key. A request that was carried out is never carried out
 * again, even if its process died before the answer: see `recordTarget`.
 */
export async function runOnce(
  scope: TenantScope,
  request: IdempotentRequest,
  { run, answerAgain }: IdempotentWork,
): Promise<IdempotentAnswer> {
  const reserved = await reserve(scope, request, new Date());
  if (reserved.kind === 'replay') return { ...reserved.answer, isReplay: true };
  const { reservation } = reserved;
  if (reserved.kind === 'carried_out') {
    if (!answerAgain) throw answerLost(reserved.target);
    const answer = await answerAgain(reserved.target);
    await keepAnswer(scope, reservation, answer);
    return { ...answer, isReplay: true };
  }
  try {
    const answer = await current.run(reservation, run);
    await keepAnswer(scope, reservation, answer);
    return { ...answer, isReplay: false };
  } catch (error) {
    await inTransaction(scope, (db) => deleteReservation(db, reservation));
    throw error;
  }
}

// On globalThis, since a build keeps this module once per bundle.
const held = globalThis as unknown as { tierwatchReservation?: AsyncLocalStorage<Reservation> };
held.tierwatchReservation ??= new AsyncLocalStorage<Reservation>();
const current = held.tierwatchReservation;

/**
 * Records in the transaction of a change that the request under an Idempotency-Key was carried
 * out, and on what. Does nothing outside of such a request. The first target of a request stays.
 *
 * @param target typed id of what was created or changed
 * @throws ConflictError when the key was taken over by a repeat, so that only one of the two acts
 */
export async function recordTarget(db: TenantDb, target: string): Promise<void> {
  const reservation = current.getStore();
  if (!reservation) return;
  if (!(await storeTarget(db, reservation, target))) throw stillRunning();
}

type Reserved =
  | { kind: 'run'; reservation: Reservation }
  | { kind: 'carried_out'; reservation: Reservation; target: string }
  | { kind: 'replay'; answer: StoredAnswer };

function reserve(scope: TenantScope, request: IdempotentRequest, now: Date): Promise<Reserved> {
  return inTransaction(scope, async (db): Promise<Reserved> => {
    const run: Reserved = { kind: 'run', reservation: { request, reservedAt: now } };
    if (await insertReservation(db, request, now)) return run;
    const row = await findReservation(db, request);
    if (!row) throw stillRunning();
    const body = typeof row.response === 'string' ? row.response : null;
    const answer =
      row.status !== null && body !== null
        ? { status: row.status, body: openAnswer(scope, request, body) }
        : null;
    const decision = decideRepeat({ ...row, answer }, request.bodyHash, now);
    switch (decision.kind) {
      case 'replay':
        return decision;
      case 'carried_out':
        return { ...decision, reservation: { request, reservedAt: row.createdAt } };
      case 'other_body':
        throw new InvalidError(
          'This Idempotency-Key was used with a different body. Use a new key.',
          {
            'Idempotency-Key': 'used with another body',
          },
        );
      case 'still_running':
        throw stillRunning();
      case 'take_over':
        if (!(await takeOver(db, request, row, now))) throw stillRunning();
        return run;
    }
  });
}

async function keepAnswer(
  scope: TenantScope,
  reservation: Reservation,
  { status, body }: StoredAnswer,
): Promise<void> {
  const sealed = sealAnswer(scope, reservation.request, body);
  await inTransaction(scope, (db) => storeAnswer(db, reservation, status, sealed));
}

function answerLost(target: string): ConflictError {
  return new ConflictError(
    `The first request with this Idempotency-Key was carried out on ${target}, but its answer was lost and can’t be given again. Look at ${target} before you send another request under a new key.`,
    { target },
  );
}

function stillRunning(): ConflictError {
  return new ConflictError(
    'The first request with this Idempotency-Key is still running. Ask again in a moment.',
  );
}

/**
 * Forgets stored answers below a deleted path (`/api/v1/…`), so that a repeated request gets a 404
 * instead of old data.
 */
export async function forgetAnswers(db: TenantDb, path: string): Promise<void> {
  await deleteAnswersBelow(db, path);
}

// Sealed, since an answer may hold what is shown only once: a token, a signing secret.
function sealAnswer(scope: TenantScope, request: IdempotentRequest, body: unknown): string {
  return seal(JSON.stringify(body ?? null), sealingKey(), context(scope, request));
}

function openAnswer(scope: TenantScope, request: IdempotentRequest, box: string): unknown {
  return JSON.parse(open(box, sealingKey(), context(scope, request)));
}

function sealingKey(): Buffer {
  return deriveKey(env().secretKey, 'idempotency');
}

function context(scope: TenantScope, { tokenId, route, key }: IdempotentRequest): string {
  return JSON.stringify([scope.organizationId, tokenId, route, key]);
}

/** One POST that may be repeated without being done twice. */
export interface IdempotentRequest {
  tokenId: string;
  /** Method and path, ids included. */
  route: string;
  key: string;
  /** SHA-256 of the body, hex. */
  bodyHash: string;
}

interface StoredAnswer {
  status: number;
  body: unknown;
}

/** Returns the idempotent request if it is a POST by token with the header, otherwise null. */
export function idempotentRequestOf(
  request: Request,
  scope: TenantScope | null,
  bodyText: string,
): IdempotentRequest | null {
  const key = request.headers.get('idempotency-key');
  if (key === null || request.method !== 'POST' || scope?.actor.kind !== 'api_token') return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new InvalidError('An Idempotency-Key has 1 to 255 printable characters.', {
      'Idempotency-Key': 'has 1 to 255 printable characters',
    });
  }
  const { pathname, search } = new URL(request.url);
  return {
    tokenId: scope.actor.id,
    route: `POST ${pathname}${search}`,
    key,
    bodyHash: createHash('sha256').update(bodyText, 'utf8').digest('hex'),
  };
}

const KEPT_DAYS = 1;

/** Deletes the stored answers of every organization whose time is over. */
export async function pruneIdempotencyKeys(now = new Date()): Promise<void> {
  await deleteIdempotencyKeys(daysBefore(now, KEPT_DAYS));
}

export const KEPT_MS = 24 * 3_600_000;

/** A process that died before it changed anything never answers; after this a repeat may run. */
export const ABANDONED_MS = 60_000;

interface EarlierRequest {
  bodyHash: string;
  createdAt: Date;
  /** Null while it has no answer. */
  answer: StoredAnswer | null;
  /** What it created or changed; null until that is committed. */
  target: string | null;
}

type IdempotencyDecision =
  | { kind: 'replay'; answer: StoredAnswer }
  /** It was committed; its answer is missing. */
  | { kind: 'carried_out'; target: string }
  | { kind: 'other_body' }
  | { kind: 'still_running' }
  /** The earlier row no longer counts: replace it and run. */
  | { kind: 'take_over' };

/** Decides what to do with a request whose key has been seen. */
export function decideRepeat(
  earlier: EarlierRequest,
  bodyHash: string,
  now: Date,
): IdempotencyDecision {
  const ageMs = now.getTime() - earlier.createdAt.getTime();
  if (ageMs > KEPT_MS) return { kind: 'take_over' };
  if (earlier.bodyHash !== bodyHash) return { kind: 'other_body' };
  if (earlier.answer) return { kind: 'replay', answer: earlier.answer };
  if (earlier.target !== null) return { kind: 'carried_out', target: earlier.target };
  return { kind: ageMs > ABANDONED_MS ? 'take_over' : 'still_running' };
}
