import { validate as isUuid } from 'uuid';
import type { SignedInUser } from '../schema';
import {
  findAuthSession,
  insertAuthSession,
  markAllRevoked,
  markRevoked,
  touchAuthSession,
} from './data';

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

/** Who is signed in by it, or null once it was revoked, has expired or never was. */
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

/** Signs the person out of every browser. */
export function revokeAuthSessionsOf(userId: string, now = new Date()): Promise<void> {
  return markAllRevoked(userId, now);
}
