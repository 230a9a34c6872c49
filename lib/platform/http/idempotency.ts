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
  takeOver,
} from './idempotency-data';

interface IdempotentAnswer extends StoredAnswer {
  isReplay: boolean;
}

/**
 * Reserves the key, runs, stores the answer. A repeat within 24 h gets the stored answer; while
 * the first still runs ConflictError, with another body InvalidError. What fails is not stored,
 * so it may be tried again with the same key.
 */
export async function runOnce(
  scope: TenantScope,
  request: IdempotentRequest,
  run: () => Promise<StoredAnswer>,
): Promise<IdempotentAnswer> {
  const earlier = await reserve(scope, request, new Date());
  if (earlier) return { ...earlier, isReplay: true };
  try {
    const answer = await run();
    await inTransaction(scope, (db) =>
      storeAnswer(db, request, answer.status, sealAnswer(scope, request, answer.body)),
    );
    return { ...answer, isReplay: false };
  } catch (error) {
    await inTransaction(scope, (db) => deleteReservation(db, request));
    throw error;
  }
}

/** The earlier answer, or null when this request is the one to run. */
function reserve(
  scope: TenantScope,
  request: IdempotentRequest,
  now: Date,
): Promise<StoredAnswer | null> {
  return inTransaction(scope, async (db) => {
    if (await insertReservation(db, scope, request, now)) return null;
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
        return decision.answer;
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
        if (!(await takeOver(db, request, row.createdAt, now))) throw stillRunning();
        return null;
    }
  });
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

/** A process that ended in mid-request never answers; after this the key may be used again. */
export const ABANDONED_MS = 5 * 60_000;

interface EarlierRequest {
  bodyHash: string;
  createdAt: Date;
  /** Null while it has no answer. */
  answer: StoredAnswer | null;
}

type IdempotencyDecision =
  | { kind: 'replay'; answer: StoredAnswer }
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
  return { kind: ageMs > ABANDONED_MS ? 'take_over' : 'still_running' };
}
