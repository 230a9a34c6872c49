/** Second factors of people: global rows, so they take no tenant. */

import { sql } from 'kysely';
import type { AuthSession, Organization } from '@/generated/prisma/client';
import type { AccountDb } from '@/lib/platform/db/account-db';
import { globalDb, systemDb } from '@/lib/platform/db/global-db';
import { lookedUp, query, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/**
 * Locks a person until the commit, so that changes of their password and factors and the opening of
 * sign-ins come one after the other. Null when the person is gone.
 */
export async function lockPerson(
  db: AccountDb,
  userId: string,
): Promise<{ email: string; passwordVersion: number } | null> {
  const person = query.selectFrom('userAccount').select(['email', 'passwordVersion']);
  const [row] = await rowsOf(db, person.where('id', '=', userId).forNoKeyUpdate());
  return row ?? null;
}

type Reader = Pick<AccountDb, 'totpFactor' | 'passkey' | 'recoveryCode'>;

/** An app counts once its first code was entered. */
export async function countFactors(userId: string, db: Reader = globalDb()): Promise<number> {
  const apps = await db.totpFactor.count({ where: { userId, confirmedAt: { not: null } } });
  return apps + (await db.passkey.count({ where: { userId } }));
}

/** Returns which of these people have a second factor. */
export async function listHolders(db: TenantDb, userIds: readonly string[]): Promise<Set<string>> {
  const where = { userId: { in: [...userIds] } };
  const apps = await db.totpFactor.findMany({
    where: { ...where, confirmedAt: { not: null } },
    select: { userId: true },
  });
  const passkeys = await db.passkey.findMany({ where, select: { userId: true } });
  return new Set([...apps, ...passkeys].map((row) => row.userId));
}

export function findTotp(userId: string, db: Reader = globalDb()) {
  return db.totpFactor.findUnique({ where: { userId } });
}

/** Keeps a secret that no code has confirmed yet, in place of an earlier one of that kind. */
export async function putUnconfirmedTotp(userId: string, secretSealed: string): Promise<boolean> {
  const created = await globalDb().totpFactor.createMany({
    data: [{ userId, secretSealed }],
    skipDuplicates: true,
  });
  if (created.count === 1) return true;
  const { count } = await globalDb().totpFactor.updateMany({
    where: { userId, confirmedAt: null },
    data: { secretSealed },
  });
  return count === 1;
}

/** Returns false when the set-up was started again since the secret was read. */
export async function confirmTotp(
  db: AccountDb,
  { userId, secretSealed }: { userId: string; secretSealed: string },
  step: number,
  now: Date,
): Promise<boolean> {
  const { count } = await db.totpFactor.updateMany({
    where: { userId, secretSealed, confirmedAt: null },
    data: { confirmedAt: now, lastUsedAt: now, lastStep: step },
  });
  return count === 1;
}

/** Returns false when another request has used this step or a later one. */
export async function spendTotpStep(
  db: AccountDb,
  userId: string,
  step: number,
  now: Date,
): Promise<boolean> {
  const { count } = await db.totpFactor.updateMany({
    where: {
      userId,
      confirmedAt: { not: null },
      OR: [{ lastStep: null }, { lastStep: { lt: step } }],
    },
    data: { lastStep: step, lastUsedAt: now },
  });
  return count === 1;
}

export async function deleteTotp(db: AccountDb, userId: string): Promise<boolean> {
  const { count } = await db.totpFactor.deleteMany({
    where: { userId, confirmedAt: { not: null } },
  });
  return count === 1;
}

export function listPasskeys(userId: string, db: Reader = globalDb()) {
  return db.passkey.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
}
export type PasskeyRow = Awaited<ReturnType<typeof listPasskeys>>[number];

export function findPasskey(credentialId: string): Promise<PasskeyRow | null> {
  return globalDb().passkey.findUnique({ where: { credentialId } });
}

export async function insertPasskey(
  db: AccountDb,
  row: Pick<
    PasskeyRow,
    'userId' | 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'name'
  >,
): Promise<void> {
  await db.passkey.create({ data: { ...row, publicKey: Uint8Array.from(row.publicKey) } });
}

/** Returns false when the passkey was used or removed since it was read. */
export async function spendPasskey(
  db: AccountDb,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  newCounter: number,
  now: Date,
): Promise<boolean> {
  const { count } = await db.passkey.updateMany({
    where: { id, counter },
    data: { counter: newCounter, lastUsedAt: now },
  });
  return count === 1;
}

/** Returns the name of the person's removed passkey, or null. */
export async function deletePasskey(
  db: AccountDb,
  userId: string,
  id: string,
): Promise<string | null> {
  const row = await db.passkey.findFirst({ where: { id, userId }, select: { name: true } });
  if (!row) return null;
  await db.passkey.deleteMany({ where: { id, userId } });
  return row.name;
}

export function countRecoveryCodes(userId: string, db: Reader = globalDb()): Promise<number> {
  return db.recoveryCode.count({ where: { userId, usedAt: null } });
}

/** Replaces all codes of the person. */
export async function replaceRecoveryCodes(
  db: AccountDb,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await db.recoveryCode.deleteMany({ where: { userId } });
  await db.recoveryCode.createMany({ data: hashes.map((codeHash) => ({ userId, codeHash })) });
}

/** Returns false for a code that is unknown or used. */
export async function spendRecoveryCode(
  db: AccountDb,
  userId: string,
  codeHash: string,
  now: Date,
): Promise<boolean> {
  const { count } = await db.recoveryCode.updateMany({
    where: { userId, codeHash, usedAt: null },
    data: { usedAt: now },
  });
  return count === 1;
}

export async function deleteFactors(db: AccountDb, userId: string): Promise<void> {
  await db.totpFactor.deleteMany({ where: { userId } });
  await db.passkey.deleteMany({ where: { userId } });
  await db.recoveryCode.deleteMany({ where: { userId } });
}

/** Returns the name of an organization of the person that requires a second factor, or null. */
export async function findRequiringOrganization(
  db: AccountDb,
  userId: string,
): Promise<string | null> {
  const [row] = await sqlRows(db)<
    Pick<Organization, 'name'>
  >`select name from app.memberships_of(${userId})
      where requires_second_factor limit 1`;
  return row?.name ?? null;
}

/** Ends sign-ins of the person, but `keptAuthSessionId`, and those that wait for a second step. */
export async function endSignIns(
  db: AccountDb,
  userId: string,
  keptAuthSessionId: string | null,
  now: Date,
): Promise<void> {
  await db.authSession.updateMany({
    where: {
      userId,
      revokedAt: null,
      ...(keptAuthSessionId ? { id: { not: keptAuthSessionId } } : {}),
    },
    data: { revokedAt: now },
  });
  await db.pendingSignIn.updateMany({ where: { userId, usedAt: null }, data: { usedAt: now } });
}

/** Notes that the person has shown who they are in this sign-in. False if it has ended. */
export async function markProved(
  db: AccountDb,
  { id, authSessionId }: { id: string; authSessionId: string },
  isSecondFactor: boolean,
  now: Date,
): Promise<boolean> {
  const { count } = await db.authSession.updateMany({
    where: { id: authSessionId, userId: id, revokedAt: null },
    data: { provedAt: now, ...(isSecondFactor ? { secondFactorAt: now } : {}) },
  });
  return count === 1;
}

export async function setChallenge(
  authSessionId: string,
  challenge: string,
  expiresAt: Date,
): Promise<void> {
  await globalDb().authSession.updateMany({
    where: { id: authSessionId },
    data: { challenge, challengeExpiresAt: expiresAt },
  });
}

/** Returns the open challenge of a sign-in and closes it: no answer counts twice. */
export async function takeChallenge(authSessionId: string, now: Date): Promise<string | null> {
  const [row] = await lookedUp(sql<Pick<AuthSession, 'challenge' | 'challengeExpiresAt'>>`
    with open as (
      select id, challenge, challenge_expires_at from auth_session
      where id = ${authSessionId} and challenge is not null for no key update)
    update auth_session set challenge = null, challenge_expires_at = null
    from open where auth_session.id = open.id
    returning open.challenge, open.challenge_expires_at`);
  return row?.challengeExpiresAt && row.challengeExpiresAt > now ? row.challenge : null;
}

/** Deletes second steps that expired before a time. */
export async function deletePendingSignIns(expiredBefore: Date): Promise<void> {
  const where = { expiresAt: { lt: expiredBefore } };
  await systemDb('retention of second steps').pendingSignIn.deleteMany({ where });
}
