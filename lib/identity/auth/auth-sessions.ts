import { validate as isUuid } from 'uuid';
import { daysBefore } from '@/lib/platform/db/batches';
import { NotFoundError } from '@/lib/platform/errors';
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

export async function revokeAuthSession(id: string, now = new Date()): Promise<void> {
  if (isUuid(id)) await markRevoked(id, now);
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
  now = new Date(),
): Promise<void> {
  const isRevoked = isUuid(id) && (await markOwnRevoked(id, user.id, now));
  if (!isRevoked) throw new NotFoundError('This sign-in has already ended.');
}

/** Signs the person out of every browser. */
export function revokeAuthSessionsOf(userId: string, now = new Date()): Promise<void> {
  return markAllRevoked(userId, now);
}

/** How long an ended sign-in stays in a person's list of devices, in days. */
const ENDED_SIGN_IN_DAYS = 30;
const EXPIRED_RESET_DAYS = 1;

/** Deletes sign-ins and reset links that ended long enough ago. */
export async function pruneSignIns(now = new Date()): Promise<void> {
  await deletePasswordResets(daysBefore(now, EXPIRED_RESET_DAYS));
  await deleteAuthSessions(daysBefore(now, ENDED_SIGN_IN_DAYS));
}
