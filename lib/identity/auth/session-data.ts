/** Sign-ins of people, open or waiting for their second step: global rows. */

import type { Prisma } from '@/generated/prisma/client';
import type { AccountDb } from '@/lib/platform/db/account-db';
import { globalDb, systemDb } from '@/lib/platform/db/global-db';
import { query, rowsOf } from '@/lib/platform/db/sql';

export async function insertAuthSession(
  db: AccountDb,
  row: Prisma.AuthSessionUncheckedCreateInput,
): Promise<string> {
  const { id } = await db.authSession.create({ data: row, select: { id: true } });
  return id;
}

export function findAuthSession(id: string) {
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

export async function markRevoked(db: AccountDb, id: string, now: Date): Promise<void> {
  await db.authSession.updateMany({
    where: { id, revokedAt: null },
    data: { revokedAt: now },
  });
}

/** Null when the person has no such sign-in, or it is over. */
export async function markOwnRevoked(
  db: AccountDb,
  id: string,
  userId: string,
  now: Date,
): Promise<{ userAgent: string } | null> {
  const [ended] = await db.authSession.updateManyAndReturn({
    where: { id, userId, revokedAt: null },
    data: { revokedAt: now },
    select: { userAgent: true },
  });
  return ended ?? null;
}

export async function markAllRevoked(db: AccountDb, userId: string, now: Date): Promise<void> {
  await db.authSession.updateMany({
    where: { userId, revokedAt: null },
    data: { revokedAt: now },
  });
}

/** Deletes sign-ins that expired or were revoked before a time. */
export async function deleteAuthSessions(endedBefore: Date): Promise<void> {
  const where = {
    OR: [{ expiresAt: { lt: endedBefore } }, { revokedAt: { lt: endedBefore } }],
  };
  await systemDb('retention of sign-ins').authSession.deleteMany({ where });
}

export async function insertPendingSignIn(
  row: Prisma.PendingSignInUncheckedCreateInput,
): Promise<void> {
  await globalDb().pendingSignIn.create({ data: row });
}

/** Null when it has expired, was used or was never there. */
export function findPendingSignIn(tokenHash: string, now: Date) {
  return globalDb().pendingSignIn.findFirst({
    where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
  });
}

/** The same, locked until the commit. */
export async function lockPendingSignIn(db: AccountDb, tokenHash: string, now: Date) {
  const pending = query.selectFrom('pendingSignIn').where('tokenHash', '=', tokenHash);
  await rowsOf(db, pending.select('tokenHash').forUpdate());
  return db.pendingSignIn.findFirst({
    where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
  });
}

export async function markPendingUsed(db: AccountDb, tokenHash: string, now: Date): Promise<void> {
  await db.pendingSignIn.update({ where: { tokenHash }, data: { usedAt: now, challenge: null } });
}

/** Counts a wrong answer, whose challenge is over. */
export async function countPendingFailure(db: AccountDb, tokenHash: string): Promise<void> {
  await db.pendingSignIn.update({
    where: { tokenHash },
    data: { failures: { increment: 1 }, challenge: null },
  });
}

export async function setPendingChallenge(tokenHash: string, challenge: string): Promise<void> {
  await globalDb().pendingSignIn.updateMany({
    where: { tokenHash, usedAt: null },
    data: { challenge },
  });
}
