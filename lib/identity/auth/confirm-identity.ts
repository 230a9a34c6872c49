import { verifyPassword } from '@/lib/platform/crypto/password';
import { type AccountDb, inAccountTransaction } from '@/lib/platform/db/account-db';
import { InvalidError, PreconditionFailedError, UnauthenticatedError } from '@/lib/platform/errors';
import type { Client } from '@/lib/platform/http/client-address';
import { CONFIRMATIONS_PER_SIGN_IN, consume, forgive } from '@/lib/platform/rate-limits';
import { recordAccount, recordAttempt } from '../audit/record-account';
import { spendCode } from '../factors/check-code';
import {
  countFactors,
  countRecoveryCodes,
  findPasskey,
  listPasskeys,
  lockPerson,
  markProved,
  setChallenge,
  spendPasskey,
  takeChallenge,
} from '../factors/data';
import { getFactors } from '../factors/manage-factors';
import {
  CHALLENGE_MS,
  type PublicKeyCredentialRequestOptionsJSON,
  readAssertion,
  requestOptions,
} from '../factors/passkey-ceremony';
import type { FactorKind } from '../factors/schema';
import { findPassword } from './data';
import type { ConfirmationMethods, SignedInUser } from './schema';

/** Returns how the person can show again who they are. None: by signing in again. */
export async function getConfirmationMethods(user: SignedInUser): Promise<ConfirmationMethods> {
  const [{ totp, passkeys, recoveryCodesLeft }, password] = await Promise.all([
    getFactors(user.id),
    findPassword(user.id),
  ]);
  const hasFactor = totp !== null || passkeys.length > 0;
  return {
    hasCode: totp !== null || recoveryCodesLeft > 0,
    hasPasskey: passkeys.length > 0,
    hasPassword: !hasFactor && password?.passwordHash != null,
  };
}

/**
 * Confirms with the password, for people without a second factor. Throws InvalidError at the field for
 * a wrong one, LimitExceededError after too many.
 */
export async function confirmWithPassword(
  user: SignedInUser,
  password: string,
  client: Client,
  now = new Date(),
): Promise<void> {
  await consume(CONFIRMATIONS_PER_SIGN_IN, user.authSessionId);
  const stored = await findPassword(user.id);
  const isRight = await verifyPassword(password, stored?.passwordHash ?? null);
  await confirm(user, client, now, 'password', async (db) => {
    const person = await lockPerson(db, user.id);
    if ((await countFactors(user.id, db)) > 0) {
      throw new PreconditionFailedError('Confirm with your second factor instead.');
    }
    const isCurrent = person?.passwordVersion === stored?.passwordVersion;
    return isRight && isCurrent ? 'password' : null;
  });
}

/** Confirms with a code of the app or a recovery code. Throws as `confirmWithPassword`. */
export async function confirmWithCode(
  user: SignedInUser,
  code: string,
  client: Client,
  now = new Date(),
): Promise<void> {
  await consume(CONFIRMATIONS_PER_SIGN_IN, user.authSessionId);
  await confirm(user, client, now, 'code', async (db) => {
    await lockPerson(db, user.id);
    return spendCode(db, user.id, code, now);
  });
}

/** Returns what the browser asks a passkey for. Throws PreconditionFailedError without one. */
export async function beginPasskeyConfirmation(
  user: SignedInUser,
  now = new Date(),
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const passkeys = await listPasskeys(user.id);
  if (passkeys.length === 0) throw new PreconditionFailedError('Your account has no passkey.');
  const options = await requestOptions(passkeys);
  const expiresAt = new Date(now.getTime() + CHALLENGE_MS);
  await setChallenge(user.authSessionId, options.challenge, expiresAt);
  return options;
}

/** Throws InvalidError for an answer that doesn't fit. */
export async function confirmWithPasskey(
  user: SignedInUser,
  answer: { id: string },
  client: Client,
  now = new Date(),
): Promise<void> {
  const challenge = await takeChallenge(user.authSessionId, now);
  const passkey = await findPasskey(answer.id);
  await confirm(user, client, now, null, async (db) => {
    if (!challenge || passkey?.userId !== user.id) return null;
    const counter = await readAssertion(answer, challenge, passkey, { isAlone: false });
    return counter !== null && (await spendPasskey(db, passkey, counter, now)) ? 'passkey' : null;
  });
}

const WRONG = {
  password: 'This isn’t your current password.',
  code: 'This code is wrong or was used already. Enter the current one.',
};

/** `field`: where a wrong answer is shown; null: above the form. */
async function confirm(
  user: SignedInUser,
  client: Client,
  now: Date,
  field: 'password' | 'code' | null,
  use: (db: AccountDb) => Promise<FactorKind | 'password' | null>,
): Promise<void> {
  const isConfirmed = await inAccountTransaction(async (db) => {
    const method = await use(db);
    if (!method) return false;
    if (!(await markProved(db, user, method !== 'password', now))) throw new UnauthenticatedError();
    if (method === 'recovery_code') {
      const left = await countRecoveryCodes(user.id, db);
      await recordAccount(db, user, client, 'account.recovery_code_used', { left });
    }
    await recordAccount(db, user, client, 'account.confirmed', { method });
    return true;
  });
  if (isConfirmed) return forgive(CONFIRMATIONS_PER_SIGN_IN, user.authSessionId);
  recordAttempt(user, client, 'account.code_failed', { during: 'confirmation' });
  const message = field ? WRONG[field] : 'This passkey wasn’t accepted. Try again.';
  throw new InvalidError(message, field ? { [field]: message } : {});
}
