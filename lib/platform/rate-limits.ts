import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPrisma, RateLimiterRes } from 'rate-limiter-flexible';
import { globalDb } from './db/global-db';
import { LimitExceededError } from './errors';

/** How often something may be tried. Counted per name and key over all web processes. */
export interface Limit {
  name: string;
  points: number;
  perSeconds: number;
}

/** By device that the person has signed in with before. Nobody else's tries count for it. */
export const SIGN_IN_PER_DEVICE: Limit = { name: 'sign-in-device', points: 10, perSeconds: 900 };

/** By network, over all accounts: limits one password tried on many accounts. */
export const SIGN_IN_PER_NETWORK: Limit = { name: 'sign-in-network', points: 60, perSeconds: 900 };

/** By e-mail address and network, whether an account has it or not: the answer must not tell. */
export const SIGN_IN_PER_ACCOUNT: Limit = { name: 'sign-in-account', points: 10, perSeconds: 900 };

/**
 * By e-mail address, over all networks. Tries beyond it are still accepted, or anyone could lock a
 * person out; but each network then gets only SIGN_IN_UNDER_ATTACK.
 */
export const SIGN_IN_ATTACK: Limit = { name: 'sign-in-attack', points: 50, perSeconds: 3600 };

export const SIGN_IN_UNDER_ATTACK: Limit = {
  name: 'sign-in-under-attack',
  points: 3,
  perSeconds: 3600,
};

/**
 * Codes of a second step, by device that the person has signed in with before. The right password
 * comes first, so nobody without it counts here.
 */
export const CODES_PER_DEVICE: Limit = { name: 'codes-device', points: 10, perSeconds: 900 };

/** Codes of a second step on other devices, by person and network. */
export const CODES_PER_NETWORK: Limit = { name: 'codes-network', points: 10, perSeconds: 900 };

/**
 * Codes of a second step on other devices, by person over all networks: of a million codes three are
 * right, so guessing has to be slow for someone with many addresses too. Known devices and passkeys
 * keep working.
 */
export const CODES_PER_PERSON: Limit = { name: 'codes-person', points: 30, perSeconds: 3600 };

/** Confirmations by someone with access to an open browser, by sign-in. */
export const CONFIRMATIONS_PER_SIGN_IN: Limit = {
  name: 'confirmations',
  points: 10,
  perSeconds: 900,
};

/** By network: a sign-in with a passkey alone begins before anyone is known. */
export const PASSKEY_SIGN_INS_PER_NETWORK: Limit = {
  name: 'passkey-sign-in-network',
  points: 60,
  perSeconds: 900,
};

/** By person and kind of entry: further failures are in the log of the process alone. */
export const FAILED_SIGN_INS_RECORDED: Limit = {
  name: 'sign-in-recorded',
  points: 100,
  perSeconds: 3600,
};

/** By network or device of an account: one entry says that it is locked out. */
export const LOCKOUTS_RECORDED: Limit = { name: 'lockout-recorded', points: 1, perSeconds: 900 };

/** By token or runner. */
export const REFUSALS_RECORDED: Limit = { name: 'refusal-recorded', points: 1, perSeconds: 3600 };

export const SIGN_UP_PER_NETWORK: Limit = { name: 'sign-up-network', points: 60, perSeconds: 3600 };

export const API_PER_TOKEN: Limit = { name: 'api-token', points: 600, perSeconds: 60 };

/** By organization: an invitation goes out to an address that has not asked for it. */
export const INVITATIONS_PER_ORGANIZATION: Limit = {
  name: 'invitations-organization',
  points: 100,
  perSeconds: 3600,
};

/** By organization: each one has a runner call an address of the person's choice. */
export const CHECK_TESTS_PER_ORGANIZATION: Limit = {
  name: 'check-tests-organization',
  points: 120,
  perSeconds: 600,
};

/** Limits guesses at the current password by someone with access to an open browser. */
export const PASSWORD_CHANGES_PER_PERSON: Limit = {
  name: 'password-person',
  points: 10,
  perSeconds: 900,
};

/**
 * By e-mail address, whether an account has it or not. Nothing more is sent beyond it: that many
 * working links are in the mailbox already.
 */
export const RESETS_PER_ACCOUNT: Limit = { name: 'reset-account', points: 3, perSeconds: 3600 };

export const RESETS_PER_NETWORK: Limit = { name: 'reset-network', points: 30, perSeconds: 3600 };

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

/** Counts one try, and returns whether it is within the limit. */
export async function isWithinLimit(limit: Limit, key: string): Promise<boolean> {
  try {
    await consume(limit, key);
    return true;
  } catch (error) {
    if (error instanceof LimitExceededError) return false;
    throw error;
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

/** Returns how long to wait, rounded up: "4 min" or "45 s". */
export function waitText(seconds: number): string {
  return seconds <= 60 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`;
}
