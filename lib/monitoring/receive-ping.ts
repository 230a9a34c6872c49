/**
 * Accepts the pings of jobs. A ping is one row that changes, so it needs PostgreSQL and nothing else; what
 * it means is decided by `judge-pings.ts`.
 */
import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import { hashToken } from '@/lib/platform/crypto/tokens';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { AppError, InvalidError, NotFoundError, UnavailableError } from '@/lib/platform/errors';
import { HttpError, outageOf } from '@/lib/platform/http/problem';
import { logger } from '@/lib/platform/logger';
import { findPingCheck, lockPingCheck, savePingCheck } from './ping-data';
import { createPingLine } from './ping-line';
import { dueAfterPing, type Ping, type Pings, withPing } from './ping-state';

const MAX_EXIT_CODE = 255;

/**
 * Returns what a ping says by the end of its URL: nothing or `0` for a success, `fail` or another exit
 * code for a failure, `start` for a start.
 *
 * @throws InvalidError for anything else
 */
export function pingOf(signal: string | null, at: Date): Ping {
  if (signal === null) return { kind: 'end', exitCode: 0, at };
  if (signal === 'start') return { kind: 'start', at };
  if (signal === 'fail') return { kind: 'end', exitCode: null, at };
  const exitCode = /^\d{1,3}$/.test(signal) ? Number(signal) : Number.NaN;
  if (exitCode <= MAX_EXIT_CODE) return { kind: 'end', exitCode, at };
  throw new InvalidError(
    'The ping was not recorded, because the end of its URL is none that Tierwatch knows. End it with /start, /fail or an exit code of 0 to 255, or with the token.',
  );
}

/** The last of each kind says all that is kept: a start, a success, a failure. */
function merge(waiting: readonly Ping[], next: Ping): Ping[] {
  const kindOf = (ping: Ping) =>
    ping.kind === 'start' ? 'start' : ping.exitCode === 0 ? 'success' : 'failure';
  return [...waiting.filter((one) => kindOf(one) !== kindOf(next)), next];
}

export type PingMethod = 'GET' | 'POST';
type Outcome = 'stored' | 'unknown' | 'post_only';

/** Apart by method: a ping that doesn’t count must not take the place of one that does. */
const lines = {
  GET: createPingLine(storeBy('GET'), merge),
  POST: createPingLine(storeBy('POST'), merge),
};

/**
 * Stores a ping.
 *
 * @param token the last part of the heartbeat’s URL
 * @throws NotFoundError for a token that no heartbeat has, or no longer; HttpError 405 for a method that
 *   the heartbeat doesn’t take; UnavailableError for everything that a retry may fix
 */
export async function receivePing(token: string, ping: Ping, method: PingMethod): Promise<void> {
  const outcome = await storeOrExplain(token, ping, method);
  if (outcome === 'post_only') {
    throw new HttpError(
      405,
      'The ping was not recorded, because this heartbeat takes POST only. Use POST, such as curl -X POST, or change the check of the service.',
      { allow: 'POST' },
    );
  }
  if (outcome === 'unknown') {
    throw new NotFoundError(
      'No heartbeat has this URL. It was rotated or revoked, or its check was removed. Copy the current one from the page of the service.',
    );
  }
}

async function storeOrExplain(token: string, ping: Ping, method: PingMethod): Promise<Outcome> {
  try {
    return await lines[method](hashToken(token), ping);
  } catch (error) {
    if (error instanceof AppError || outageOf(error)) throw error;
    logger.error({ err: error }, 'ping not stored');
    throw new UnavailableError('The ping can’t be stored right now. Send it again.', 5);
  }
}

function storeBy(method: PingMethod) {
  return async (tokenHash: string, pings: readonly Ping[]): Promise<Outcome> => {
    const now = pings.at(-1)?.at ?? new Date();
    const found = await findPingCheck(tokenHash, now);
    if (found === null) return 'unknown';
    const scope = scopeOfSystem(found.organizationId, 'Heartbeats');
    return inTransaction(scope, async (db) => {
      const locked = await lockPingCheck(db, found.checkId);
      if (locked === null) return 'unknown';
      if (locked.spec.isPostOnly && method !== 'POST') return 'post_only';
      const before = locked.pingCheck;
      const after = pings.reduce<Pings>(withPing, before);
      await savePingCheck(db, {
        ...before,
        ...after,
        dueAt: dueAfterPing(before.dueAt, before.judgedAt, now),
      });
      return 'stored';
    });
  };
}
