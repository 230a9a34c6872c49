/** People and their sign-ins: global rows, so they take no tenant. */

import { Prisma, type User } from '@/generated/prisma/client';
import type { AccountDb } from '@/lib/platform/db/account-db';
import { globalDb, systemDb } from '@/lib/platform/db/global-db';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { endSignIns } from '../factors/data';
import type { ProviderProfile } from './schema';

interface NewUser {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
}

export type UserRow = User;

export function findUserByEmail(email: string): Promise<User | null> {
  return globalDb().user.findUnique({ where: { email } });
}

/** In the transaction that also makes the person's organization. */
export async function insertUser(db: TenantDb, user: NewUser): Promise<void> {
  await db.user.create({ data: user });
}

/** Without a transaction: it belongs to no tenant. A person without their account is linked again. */
export async function insertUserOfProvider(user: NewUser, profile: ProviderProfile): Promise<User> {
  const row = await globalDb().user.create({ data: user });
  await insertAccount(row.id, profile);
  return row;
}

/** Stores another hash of the same password, unless the password has changed in the meantime. */
export async function setPasswordHash(
  { id, passwordVersion }: Pick<User, 'id' | 'passwordVersion'>,
  passwordHash: string,
): Promise<void> {
  await globalDb().user.updateMany({ where: { id, passwordVersion }, data: { passwordHash } });
}

/** Returns a person's password hash, null for someone who only signs in with a provider. */
export function findPassword(
  userId: string,
): Promise<{ id: string; passwordHash: string | null; passwordVersion: number } | null> {
  return globalDb().user.findUnique({
    where: { id: userId },
    select: { id: true, passwordHash: true, passwordVersion: true },
  });
}

/**
 * Sets the password, or removes it, and ends what came before: every sign-in but `keptAuthSessionId`,
 * those that wait for a second step, and every reset link. Nobody who knew the old password stays
 * signed in. Returns the password's new version.
 */
export async function replacePassword(
  db: AccountDb,
  userId: string,
  passwordHash: string | null,
  keptAuthSessionId: string | null,
  now: Date,
): Promise<number> {
  // First, since it locks the person: a sign-in that is being opened is visible to what follows.
  const { passwordVersion } = await db.user.update({
    where: { id: userId },
    data: { passwordHash, passwordVersion: { increment: 1 } },
    select: { passwordVersion: true },
  });
  await db.passwordReset.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
  await endSignIns(db, userId, keptAuthSessionId, now);
  return passwordVersion;
}

export async function setName(userId: string, name: string): Promise<void> {
  await globalDb().user.update({ where: { id: userId }, data: { name } });
}

/** The providers that the person can sign in with, by name. */
export async function listProvidersOf(userId: string): Promise<string[]> {
  const rows = await globalDb().account.findMany({
    where: { userId },
    orderBy: { provider: 'asc' },
    select: { provider: true },
  });
  return rows.map((row) => row.provider);
}

export async function findUserByAccount(
  provider: string,
  providerAccountId: string,
): Promise<User | null> {
  const account = await globalDb().account.findUnique({
    where: { provider_providerAccountId: { provider, providerAccountId } },
    include: { user: true },
  });
  return account?.user ?? null;
}

export async function insertAccount(
  userId: string,
  profile: ProviderProfile,
  db: Pick<AccountDb, 'account'> = globalDb(),
): Promise<void> {
  await db.account.create({
    data: {
      userId,
      provider: profile.provider,
      providerAccountId: profile.providerAccountId,
    },
  });
}

export function isEmailConflict(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === 'P2002' &&
    JSON.stringify(error.meta ?? {}).includes('email')
  );
}

export async function insertPasswordReset(row: {
  tokenHash: string;
  userId: string;
  expiresAt: Date;
}): Promise<void> {
  await globalDb().passwordReset.create({ data: row });
}

export function findPasswordReset(tokenHash: string) {
  return globalDb().passwordReset.findUnique({
    where: { tokenHash },
    select: { expiresAt: true, usedAt: true, userId: true, user: { select: { email: true } } },
  });
}

/** Uses the link. Returns whose it is; null when it was used before, or has ended. */
export async function spendReset(
  db: AccountDb,
  tokenHash: string,
  now: Date,
): Promise<{ id: string; email: string } | null> {
  const [row] = await sqlRows(db)<Pick<User, 'id' | 'email'>>`
      update password_reset set used_at = ${now}
      from user_account
      where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
        and user_account.id = user_id
      returning user_account.id, user_account.email`;
  return row ?? null;
}

/** Deletes reset links that expired before a time, used or not. */
export async function deletePasswordResets(expiredBefore: Date): Promise<void> {
  const where = { expiresAt: { lt: expiredBefore } };
  await systemDb('retention of reset links').passwordReset.deleteMany({ where });
}
