import { validate as isUuid } from 'uuid';
import { daysBefore } from '@/lib/platform/db/batches';
import { NotFoundError } from '@/lib/platform/errors';
import type { Client } from '@/lib/platform/http/client-address';
import { recordAccount } from '../audit/record-account';
import {
  deleteAuthSessions,
  deletePasswordResets,
  findAuthSession,
  insertAuthSession,
  listAuthSessionRows,
  markAllRevoked,
  markOwnRevoked,
  markRevoked,
  touchAuthSession,
} from './data';
import type { AuthSessionDto, SignedInUser } from './schema';

/** A sign-in ends after this long, whatever happened in between. */
export const AUTH_SESSION_SECONDS = 30 * 86_400;

const SEEN_EVERY_MS = 5 * 60_000;
const MAX_USER_AGENT = 300;

/** Opens a sign-in of one browser and answers its id, which goes into the cookie's token. */
export function openAuthSession(
  userId: string,
  userAgent: string,
  now = new Date(),
): Promise<string> {
  return insertAuthSession({
    userId,
    userAgent: userAgent.slice(0, MAX_USER_AGENT),
    expiresAt: new Date(now.getTime() + AUTH_SESSION_SECONDS * 1000),
  });
}

/** Returns the signed-in person; null if the session was revoked, has expired or doesn't exist. */
export async function readAuthSession(id: string, now = new Date()): Promise<SignedInUser | null> {
  const row = isUuid(id) ? await findAuthSession(id) : null;
  if (!row || row.revokedAt || row.expiresAt <= now) return null;
  if (now.getTime() - row.lastSeenAt.getTime() > SEEN_EVERY_MS) {
    await touchAuthSession(row.id, row.lastSeenAt, now);
  }
  const { id: userId, email, name } = row.user;
  return { id: userId, email, name, label: email, authSessionId: row.id };
}

/**
 * Opens a sign-in after the person has shown who they are, and records it. `method`: `password`, or
 * the provider.
 */
export async function signInBrowser(
  userId: string,
  { method, userAgent, ...client }: Client & { method: string; userAgent: string },
  now = new Date(),
): Promise<string> {
  const id = await openAuthSession(userId, userAgent, now);
  const user = await readAuthSession(id, now);
  if (user) await recordAccount(user, client, 'account.signed_in', { method, userAgent });
  return id;
}

/** Ends the sign-in of the browser that asks, and records it. */
export async function signOutBrowser(id: string, client: Client, now = new Date()): Promise<void> {
  const user = await readAuthSession(id, now);
  if (!user) return;
  await markRevoked(id, now);
  await recordAccount(user, client, 'account.signed_out');
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
  const ended = isUuid(id) ? await markOwnRevoked(id, user.id, now) : null;
  if (!ended) throw new NotFoundError('This sign-in has already ended.');
  await recordAccount(user, client, 'account.sign_in_ended', ended);
}

/** Signs the person out of every browser. */
export async function signOutEverywhere(
  user: SignedInUser,
  client: Client,
  now = new Date(),
): Promise<void> {
  await markAllRevoked(user.id, now);
  await recordAccount(user, client, 'account.all_sign_ins_ended');
}

/** How long an ended sign-in stays in a person's list of devices, in days. */
const ENDED_SIGN_IN_DAYS = 30;
const EXPIRED_RESET_DAYS = 1;

/** Deletes sign-ins and reset links that ended long enough ago. */
export async function pruneSignIns(now = new Date()): Promise<void> {
  await deletePasswordResets(daysBefore(now, EXPIRED_RESET_DAYS));
  await deleteAuthSessions(daysBefore(now, ENDED_SIGN_IN_DAYS));
}
