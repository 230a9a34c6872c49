/**
 * Accepts what a source sends: authenticates it, stores the body as it arrived, commits, and only
 * then processes it. What is accepted is never lost, and what can't be stored now is refused with a
 * status that makes the sender retry. Needs PostgreSQL and nothing else.
 */

import { v7 as uuidv7 } from 'uuid';
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import {
  AppError,
  ForbiddenError,
  UnauthenticatedError,
  UnavailableError,
} from '@/lib/platform/errors';
import { cutText, sanitizeForPostgres } from '@/lib/platform/format/text';
import { HttpError, outageOf } from '@/lib/platform/http/problem';
import { decodeId, encodeId } from '@/lib/platform/ids';
import { logger } from '@/lib/platform/logger';
import { eventIdOf } from './adapters/pagerduty';
import { jsonOf } from './adapters/read-body';
import { checkSignature, isTokenOf, openSigningSecrets, tokenOf } from './credentials';
import { signalRequests } from './metrics';
import { processInBackground, SWEEP_AFTER_MS } from './process-requests';
import { storeRejection, storeRequest } from './request-data';
import type { Rejection } from './request-schema';
import { type FoundSource, findSource } from './source-data';
import { MAX_SIGNAL_BODY_BYTES } from './source-schema';

const MASK = '••••';
const KEPT_HEADERS = [
  'user-agent',
  'content-type',
  'content-encoding',
  'webhook-id',
  'x-webhook-id',
];
const MAX_HEADER = 200;

/**
 * Stores a request of a source and starts processing it.
 *
 * @returns the id of the stored request, `ald_…`
 * @throws UnauthenticatedError for an unknown source, a wrong token or a wrong signature, which look
 *   the same; ForbiddenError for a disabled source; HttpError 413 for a body above the limit of the
 *   source's kind; UnavailableError for everything that a retry may fix
 */
export async function receiveSignals(
  request: Request,
  sourceId: string,
  now = new Date(),
): Promise<{ id: string }> {
  try {
    return await receive(request, sourceId, now);
  } catch (error) {
    if (error instanceof AppError || error instanceof HttpError || outageOf(error)) throw error;
    // Senders repeat after 503, and drop the alert after most other statuses.
    logger.error({ err: error, sourceId: decodeId('als', sourceId) }, 'alerts not accepted');
    throw new UnavailableError('The alert can’t be stored right now. Send it again.', 5);
  }
}

async function receive({ headers, body }: Request, sourceId: string, now: Date) {
  const uuid = decodeId('als', sourceId);
  const source = uuid ? await findSource(uuid) : null;
  const token = tokenOf(headers);
  const hasToken = isTokenOf(source, token ?? '', now);
  if (!source) throw unauthenticated();
  const { kind } = source;
  const secrets = openSigningSecrets(source.signingSecretsSealed, source.id);
  // Senders of events in the form of PagerDuty’s have their key in the body.
  const mayBeInBody = kind === 'generic' && token === null;
  if (secrets.length === 0 && !hasToken && !mayBeInBody)
    return refuse(source, headers, 'wrong_token', 0, now);

  const bytes = await readUpTo(body, MAX_SIGNAL_BODY_BYTES[kind]);
  if (!bytes.isWhole) return refuse(source, headers, 'too_large', bytes.length, now);
  const whole = Buffer.concat(bytes.chunks);
  const keyOfBody = secrets.length === 0 && !hasToken ? routingKeyOf(whole) : null;
  if (secrets.length > 0) {
    const wrong = checkSignature({ ...source, signingSecrets: secrets }, headers, whole, now);
    if (wrong) return refuse(source, headers, wrong, whole.byteLength, now);
  } else if (!hasToken && !(keyOfBody && isTokenOf(source, keyOfBody, now))) {
    return refuse(source, headers, 'wrong_token', whole.byteLength, now);
  }
  if (source.disabledAt) return refuse(source, headers, 'disabled', whole.byteLength, now);

  const id = uuidv7({ msecs: now.getTime() });
  const scope = scopeOfSystem(source.organizationId, 'Alerts');
  await inTransaction(scope, (db) =>
    storeRequest(db, {
      id,
      sourceId: source.id,
      body: keyOfBody ? withoutKey(whole, keyOfBody) : whole,
      headers: keptHeaders(headers),
      dedupKey: dedupKeyOf(source, headers, whole),
      nextAttemptAt: new Date(now.getTime() + SWEEP_AFTER_MS),
      receivedAt: now,
    }),
  );
  signalRequests.add({ source_type: kind, result: 'accepted' });
  processInBackground(scope, source.id);
  return { id: encodeId('ald', id) };
}

interface ReadBytes {
  chunks: Uint8Array[];
  /** Bytes that arrived. */
  length: number;
  isWhole: boolean;
}

/** A sender that is cut off in the middle sees a broken connection and repeats at once. */
const DISCARDED_FACTOR = 16;

async function readUpTo(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<ReadBytes> {
  const read: ReadBytes = { chunks: [], length: 0, isWhole: true };
  try {
    for await (const chunk of body ?? []) {
      read.length += chunk.byteLength;
      if (read.length > limit) Object.assign(read, { isWhole: false, chunks: [] });
      else read.chunks.push(chunk);
      if (read.length > limit * DISCARDED_FACTOR) break;
    }
  } catch {
    throw new HttpError(400, 'The request body is incomplete.');
  }
  return read;
}

function routingKeyOf(body: Buffer): string | null {
  const payload = jsonOf(body);
  const isObject = typeof payload === 'object' && payload !== null;
  const key = isObject && 'routing_key' in payload ? payload.routing_key : null;
  return typeof key === 'string' && key !== '' ? key : null;
}

/** A key that is written with escapes is found by its value. */
function withoutKey(body: Buffer, key: string): Buffer {
  const text = body.toString('utf8');
  if (text.includes(key)) return Buffer.from(text.replaceAll(key, MASK));
  return Buffer.from(JSON.stringify(jsonOf(body)).replaceAll(key, MASK));
}

/** What stays the same when the sender repeats a message that it isn't sure has arrived. */
function dedupKeyOf({ kind, signingSecretsSealed }: FoundSource, headers: Headers, body: Buffer) {
  const isSigned = signingSecretsSealed.length > 0;
  const id =
    kind === 'pagerduty'
      ? eventIdOf(jsonOf(body))
      : kind === 'generic' && isSigned
        ? headers.get('webhook-id')
        : null;
  return id === null ? null : `event:${cutText(sanitizeForPostgres(id), MAX_HEADER)}`;
}

function keptHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, cutText(sanitizeForPostgres(value), MAX_HEADER)]];
    }),
  );
}

/** Rejections of one source and reason are recorded this often; the answer is the same each time. */
const RECORD_EVERY_MS = 1_000;
const MAX_REMEMBERED = 10_000;
const recorded = new Map<string, number>();

/** Records that a request was rejected, for the source’s page, and answers it. */
async function refuse(
  source: FoundSource,
  headers: Headers,
  reason: Rejection,
  bodyBytes: number,
  now: Date,
): Promise<never> {
  signalRequests.add({ source_type: source.kind, result: reason });
  const key = `${source.id}:${reason}`;
  if (now.getTime() - (recorded.get(key) ?? 0) >= RECORD_EVERY_MS) {
    if (recorded.size >= MAX_REMEMBERED) recorded.clear();
    recorded.set(key, now.getTime());
    const scope = scopeOfSystem(source.organizationId, 'Alerts');
    await inTransaction(scope, (db) =>
      storeRejection(db, {
        id: uuidv7({ msecs: now.getTime() }),
        sourceId: source.id,
        reason,
        bodyBytes,
        headers: keptHeaders(headers),
        at: now,
      }),
    );
  }
  throw refusalOf(source, reason);
}

function refusalOf({ kind }: FoundSource, reason: Rejection): Error {
  if (reason === 'too_large') {
    const limit = MAX_SIGNAL_BODY_BYTES[kind].toLocaleString('en');
    return new HttpError(
      413,
      `The body is larger than ${limit} bytes. Send fewer alerts per request, for example with max_alerts in Alertmanager.`,
    );
  }
  if (reason === 'disabled') {
    return new ForbiddenError(
      'This alert source is disabled. Enable it in the project’s settings under Alerts.',
    );
  }
  return unauthenticated();
}

function unauthenticated(): Error {
  return new UnauthenticatedError(
    'The alert source, its token or the signature is wrong. Compare them with the project’s settings under Alerts.',
  );
}
