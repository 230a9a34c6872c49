import { globalDb } from '@/lib/db/global-db';

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

export async function markAllRevoked(userId: string, now: Date): Promise<void> {
  await globalDb().authSession.updateMany({
    where: { userId, revokedAt: null },
    data: { revokedAt: now },
  });
}
