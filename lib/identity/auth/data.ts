/** People and their sign-ins: global rows, so they take no tenant. */

import { Prisma } from '@/generated/prisma/client';
import { globalDb, lookUp, systemDb } from '@/lib/platform/db/global-db';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { ProviderProfile } from './schema';

interface NewUser {
  id: string;
  email: string;
  name: string;
  passwordHash: string | null;
}

export interface UserRow extends NewUser {
  createdAt: Date;
}

export function findUserByEmail(email: string): Promise<UserRow | null> {
  return globalDb().user.findUnique({ where: { email } });
}

/** In the transaction that also makes the person's organization. */
export async function insertUser(db: TenantDb, user: NewUser): Promise<void> {
  await db.user.create({ data: user });
}

/** Without a transaction: it belongs to no tenant. A person without their account is linked again. */
export async function insertUserOfProvider(
  user: NewUser,
  profile: ProviderProfile,
): Promise<UserRow> {
  const row = await globalDb().user.create({ data: user });
  await insertAccount(row.id, profile);
  return row;
}

/** Stores another hash of the same password. */
export async function setPasswordHash(userId: string, passwordHash: string): Promise<void> {
  await globalDb().user.update({ where: { id: userId }, data: { passwordHash } });
}

/** Null for someone who only signs in with a provider, or is gone. */
export async function findPasswordHash(userId: string): Promise<string | null> {
  const row = await globalDb().user.findUnique({
    where: { id: userId },
    select: { passwordHash: true },
  });
  return row?.passwordHash ?? null;
}

/**
 * Sets the password, or removes it, and ends what came before in one statement: every sign-in but
 * `keptAuthSessionId`, and every reset link. Nobody who knew the old password stays signed in.
 */
export async function replacePassword(
  userId: string,
  passwordHash: string | null,
  keptAuthSessionId: string | null,
  now: Date,
): Promise<void> {
  await lookUp(Prisma.sql`
    with changed as (
      update user_account set password_hash = ${passwordHash}::text where id = ${userId}::uuid returning id),
    links as (
      update password_reset set used_at = ${now}
      from changed
      where user_id = changed.id and used_at is null)
    update auth_session set revoked_at = ${now}
    from changed
    where user_id = changed.id and revoked_at is null
      and auth_session.id is distinct from ${keptAuthSessionId}::uuid`);
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
): Promise<UserRow | null> {
  const account = await globalDb().account.findUnique({
    where: { provider_providerAccountId: { provider, providerAccountId } },
    include: { user: true },
  });
  return account?.user ?? null;
}

export async function insertAccount(userId: string, profile: ProviderProfile): Promise<void> {
  await globalDb().account.create({
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

interface AuthSessionRow {
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

/** Null when the person has no such sign-in, or it is over. */
export async function markOwnRevoked(
  id: string,
  userId: string,
  now: Date,
): Promise<{ userAgent: string } | null> {
  const [ended] = await globalDb().authSession.updateManyAndReturn({
    where: { id, userId, revokedAt: null },
    data: { revokedAt: now },
    select: { userAgent: true },
  });
  return ended ?? null;
}

export async function markAllRevoked(userId: string, now: Date): Promise<void> {
  await globalDb().authSession.updateMany({
    where: { userId, revokedAt: null },
    data: { revokedAt: now },
  });
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
    select: { expiresAt: true, usedAt: true, user: { select: { email: true } } },
  });
}

/**
 * Uses the link, sets the password and ends every sign-in of the person, in one statement; other
 * links of theirs die with it. Returns the person's id; null when the link was used before, or has
 * ended.
 */
export async function spendReset(
  tokenHash: string,
  passwordHash: string,
  now: Date,
): Promise<string | null> {
  const [row] = await lookUp<{ id: string }>(Prisma.sql`
    with used as (
      update password_reset set used_at = ${now}
      where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}
      returning user_id),
    others as (
      update password_reset set used_at = ${now}
      from used
      where password_reset.user_id = used.user_id and used_at is null and token_hash <> ${tokenHash}),
    signed_out as (
      update auth_session set revoked_at = ${now}
      from used
      where auth_session.user_id = used.user_id and revoked_at is null)
    update user_account set password_hash = ${passwordHash}
    from used
    where user_account.id = used.user_id
    returning user_account.id`);
  return row?.id ?? null;
}

/** Deletes reset links that expired before a time, used or not. */
export async function deletePasswordResets(expiredBefore: Date): Promise<void> {
  const where = { expiresAt: { lt: expiredBefore } };
  await systemDb('retention of reset links').passwordReset.deleteMany({ where });
}

/** Deletes sign-ins that expired or were revoked before a time. */
export async function deleteAuthSessions(endedBefore: Date): Promise<void> {
  const where = {
    OR: [{ expiresAt: { lt: endedBefore } }, { revokedAt: { lt: endedBefore } }],
  };
  await systemDb('retention of sign-ins').authSession.deleteMany({ where });
}
