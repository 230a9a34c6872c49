import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible';
import { globalDb } from '../db/global-db';
import { LimitExceededError } from '../errors';
import type { Limit } from './limits';

export interface LimitState {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

// Not on globalThis: one bundle's RateLimiterRes is no instance of another's. The counts are rows.
const limiters = new WeakMap<object, Map<string, RateLimiterPrisma>>();

/** By name, of a client: a limiter stays with the one it was made for. */
function limitersOf(client: object): Map<string, RateLimiterPrisma> {
  const made = limiters.get(client) ?? new Map<string, RateLimiterPrisma>();
  limiters.set(client, made);
  return made;
}

/**
 * Counts one try before it happens, so that tries at the same moment cannot slip through.
 * Throws LimitExceededError with the seconds to wait.
 */
export async function consume(limit: Limit, key: string): Promise<LimitState> {
  try {
    return stateOf(limit, await limiterOf(limit).consume(hashKey(key)));
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const waitSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new LimitExceededError(`Too many tries. Wait ${waitText(waitSeconds)}.`, waitSeconds);
  }
}

/** Forgets the tries: the person has shown who they are. */
export async function forgive(limit: Limit, key: string): Promise<void> {
  await limiterOf(limit).delete(hashKey(key));
}

/** Gives one try back. */
export async function giveBack(limit: Limit, key: string): Promise<void> {
  await limiterOf(limit).reward(hashKey(key));
}

function limiterOf(limit: Limit): RateLimiterPrisma {
  const client = globalDb();
  const made = limitersOf(client);
  const known = made.get(limit.name);
  if (known) return known;
  const options = { keyPrefix: limit.name, points: limit.points, duration: limit.perSeconds };
  const limiter = new RateLimiterPrisma({
    ...options,
    storeClient: client,
    tableName: 'rateLimit',
    // While the database is away each process counts for itself.
    insuranceLimiter: new RateLimiterMemory(options),
  });
  made.set(limit.name, limiter);
  return limiter;
}

function stateOf(limit: Limit, result: RateLimiterRes): LimitState {
  return {
    limit: limit.points,
    remaining: result.remainingPoints,
    resetSeconds: Math.max(0, Math.ceil(result.msBeforeNext / 1000)),
  };
}

/** Keys may be e-mail addresses, which have no business in this table. */
function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('base64url');
}

/** "4 min" or "45 s": how long to wait, rounded up. */
export function waitText(seconds: number): string {
  return seconds <= 60 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`;
}
