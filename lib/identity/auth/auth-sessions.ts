import { validate as isUuid } from 'uuid';
import { type AccountDb, inAccountTransaction } from '@/lib/platform/db/account-db';
import { daysBefore } from '@/lib/platform/db/batches';
import { NotFoundError, UnauthenticatedError } from '@/lib/platform/errors';
import type { Client } from '@/lib/platform/http/client-address';
import { recordAccount } from '../audit/record-account';
import { countFactors, deletePendingSignIns, lockPerson } from '../factors/data';
import type { FactorKind } from '../factors/schema';
import { deletePasswordResets } from './data';
import type { AuthSessionDto, SignedInUser } from './schema';
import {
  deleteAuthSessions,
  findAuthSession,
  insertAuthSession,
  listAuthSessionRows,
  markAllRevoked,
  markOwnRevoked,
  markRevoked,
  touchAuthSession,
} from './session-data';

/** A sign-in ends after this long, whatever happened in between. */
export const AUTH_SESSION_SECONDS = 30 * 86_400;

const SEEN_EVERY_MS = 5 * 60_000;
const MAX_USER_AGENT = 300;

/** Someone who has shown who they are. */
export interface SigningIn {
  id: string;
  email: string;
  /** Of the password that was verified, or that they had then; null: there is nothing to compare. */
  passwordVersion: number | null;
}

/** `method`: `password`, `passkey`, or the provider. */
export interface SignInFacts extends Client {
  method: string;
  userAgent: string;
  secondFactor?: FactorKind;
}

const PASSWORD_CHANGED = 'Your password has just been changed. Sign in again.';
const STEP_MISSING = 'Your account has a second factor. Sign in again, and confirm with it.';

/**
 * Opens a sign-in in a transaction and records it. Returns its id, which goes into the cookie's
 * token. Throws UnauthenticatedError when the password has changed since it was verified, or the
 * person has a second factor and `facts` names none.
 */
export async function openSignIn(
  db: AccountDb,
  person: SigningIn,
  { method, userAgent, secondFactor, ...client }: SignInFacts,
  now: Date,
): Promise<string> {
  const current = await lockPerson(db, person.id);
  const isCurrent =
    person.passwordVersion === null || person.passwordVersion === current?.passwordVersion;
  if (!current || !isCurrent) throw new UnauthenticatedError(PASSWORD_CHANGED);
  if (!secondFactor && (await countFactors(person.id, db)) > 0) {
    throw new UnauthenticatedError(STEP_MISSING);
  }
  const id = await insertAuthSession(db, {
    userId: person.id,
    userAgent: userAgent.slice(0, MAX_USER_AGENT),
    expiresAt: new Date(now.getTime() + AUTH_SESSION_SECONDS * 1000),
    provedAt: now,
    secondFactorAt: secondFactor ? now : null,
  });
  const facts = { method, userAgent, ...(secondFactor ? { secondFactor } : {}) };
  await recordAccount(db, person, client, 'account.signed_in', facts);
  return id;
}

/** Signs someone in whose account has no second factor. Throws as `openSignIn`. */
export function signInBrowser(
  person: SigningIn,
  facts: Omit<SignInFacts, 'secondFactor'>,
  now = new Date(),
): Promise<string> {
  return inAccountTransaction((db) => openSignIn(db, person, facts, now));
}

/** Returns the signed-in person; null if the session was revoked, has expired or doesn't exist. */
export async function readAuthSession(id: string, now = new Date()): Promise<SignedInUser | null> {
  const row = isUuid(id) ? await findAuthSession(id) : null;
  if (!row || row.revokedAt || row.expiresAt <= now) return null;
  if (now.getTime() - row.lastSeenAt.getTime() > SEEN_EVERY_MS) {
    await touchAuthSession(row.id, row.lastSeenAt, now);
  }
  const { id: userId, email, name } = row.user;
  const { provedAt, secondFactorAt } = row;
  return { id: userId, email, name, label: email, authSessionId: row.id, provedAt, secondFactorAt };
}

/** Ends the sign-in of the browser that asks, and records it. */
export async function signOutBrowser(id: string, client: Client, now = new Date()): Promise<void> {
  const user = await readAuthSession(id, now);
  if (!user) return;
  await inAccountTransaction(async (db) => {
    await markRevoked(db, id, now);
    await recordAccount(db, user, client, 'account.signed_out');
  });
}

/** Returns the browsers in which the person is signed in, most recently seen first. */
export async function listAuthSessions(
  user: SignedInUser,
  now = new Date(),
): Promise<AuthSessionDto[]> {
  const rows = await listAuthSessionRows(user.id, now);
  return rows.map((row) => ({
    id: row.id,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    isThisOne: row.id === user.authSessionId,
  }));
}

/** Ends one of the person's own sign-ins. Throws NotFoundError for anyone else's. */
export async function revokeOwnAuthSession(
  user: SignedInUser,
  id: string,
  client: Client,
  now = new Date(),
): Promise<void> {
  await inAccountTransaction(async (db) => {
    const ended = isUuid(id) ? await markOwnRevoked(db, id, user.id, now) : null;
    if (!ended) throw new NotFoundError('This sign-in has already ended.');
    await recordAccount(db, user, client, 'account.sign_in_ended', ended);
  });
}

/** Signs the person out of every browser. */
export async function signOutEverywhere(
  user: SignedInUser,
  client: Client,
  now = new Date(),
): Promise<void> {
  await inAccountTransaction(async (db) => {
    await markAllRevoked(db, user.id, now);
    await recordAccount(db, user, client, 'account.all_sign_ins_ended');
  });
}

/** How long an ended sign-in stays in a person's list of devices, in days. */
const ENDED_SIGN_IN_DAYS = 30;
const EXPIRED_LINK_DAYS = 1;

/** Deletes sign-ins, second steps and reset links that ended long enough ago. */
export async function pruneSignIns(now = new Date()): Promise<void> {
  await deletePasswordResets(daysBefore(now, EXPIRED_LINK_DAYS));
  await deletePendingSignIns(daysBefore(now, EXPIRED_LINK_DAYS));
  await deleteAuthSessions(daysBefore(now, ENDED_SIGN_IN_DAYS));
}
