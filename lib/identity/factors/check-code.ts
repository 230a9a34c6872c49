import { deriveKey, open, seal } from '@/lib/platform/crypto/secret-box';
import type { AccountDb } from '@/lib/platform/db/account-db';
import { env } from '@/lib/platform/env';
import { acceptedStep, hashRecoveryCode, normalizeRecoveryCode } from './codes';
import { findTotp, spendRecoveryCode, spendTotpStep } from './data';
import type { FactorKind } from './schema';

/** Encrypts a secret for its person: in another person's row it doesn't open. */
export function sealTotpSecret(secret: string, userId: string): string {
  return seal(secret, totpKey(), contextOf(userId));
}

/** Throws SecretBoxError for another person's secret, or one of another key. */
export function openTotpSecret(sealed: string, userId: string): string {
  return open(sealed, totpKey(), contextOf(userId));
}

/** Returns what is stored of a normalized recovery code. */
export function recoveryHash(code: string, userId: string): string {
  return hashRecoveryCode(code, userId, deriveKey(env().secretKey, 'recovery-code'));
}

/**
 * Uses up an app's or a recovery code of a person. Returns which it was; null for a wrong or used one.
 * In the transaction of what the code permits: rolled back, the code is good again.
 */
export async function spendCode(
  db: AccountDb,
  userId: string,
  typed: string,
  now: Date,
): Promise<Exclude<FactorKind, 'passkey'> | null> {
  const recovery = normalizeRecoveryCode(typed);
  if (recovery) {
    const isUsed = await spendRecoveryCode(db, userId, recoveryHash(recovery, userId), now);
    return isUsed ? 'recovery_code' : null;
  }
  const totp = await findTotp(userId, db);
  if (!totp?.confirmedAt) return null;
  const secret = openTotpSecret(totp.secretSealed, userId);
  const lastStep = totp.lastStep === null ? null : Number(totp.lastStep);
  const step = acceptedStep({ secret, lastStep }, typed.replace(/\s/g, ''), now);
  return step !== null && (await spendTotpStep(db, userId, step, now)) ? 'totp' : null;
}

function totpKey(): Buffer {
  return deriveKey(env().secretKey, 'totp');
}

function contextOf(userId: string): string {
  return `totp:${userId}`;
}
