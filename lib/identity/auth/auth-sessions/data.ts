import { globalDb } from '@/lib/platform/db/global-db';

export interface AuthSessionRow {
  id: string;
  userId: string;
  lastSeenAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  user: { id: string; email: string; name: string };
}

export async function insertAuthSession(row: {
  userId: string;
  expiresAt: Date;
  userAgent: string;
}): Promise<string> {
  const { id } = await globalDb().authSession.create({ data: row, select: { id: true } });
  return id;
}

export function findAuthSession(id: string): Promise<AuthSessionRow | null> {
  return globalDb().authSession.findUnique({
    where: { id },
    include: { user: { select: { id: true, email: true, name: true } } },
  });
}

/** Those that count at `now`, the one seen last first. */
export function listAuthSessionRows(userId: string, now: Date) {
  return globalDb().authSession.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: now } },
    orderBy: { lastSeenAt: 'desc' },
    select: { id: true, createdAt: true, lastSeenAt: true, expiresAt: true, userAgent: true },
  });
}

/** Changes nothing when another request has written it since `before`. */
export async function touchAuthSession(id: string, before: Date, now: Date): Promise<void> {
  await globalDb().authSession.updateMany({
    where: { id, lastSeenAt: before },
    data: { lastSeenAt: now },
  });
}

export async function markRevoked(id: string, now: Date): Promise<void> {
  await globalDb().authSession.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  });
}

/** False when the person has no such sign-in, or it is over. */
export async function markOwnRevoked(id: string, userId: string, now: Date): Promise<boolean> {
  const { count } = await globalDb().authSession.updateMany({
    where: { id, userId, revokedAt: null },
    data: { revokedAt: now },
  });
  return count === 1;
}

export async function markAllRevoked(userId: string, now: Date): Promise<void> {
  await globalDb().authSession.updateMany({
    where: { userId, revokedAt: null },
    data: { revokedAt: now },
  });
}
