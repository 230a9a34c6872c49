import { randomBytes } from 'node:crypto';
import { hashToken } from '@/lib/platform/crypto/tokens';
import { type AccountDb, inAccountTransaction } from '@/lib/platform/db/account-db';
import { InvalidError, UnauthenticatedError } from '@/lib/platform/errors';
import { networkOf } from '@/lib/platform/networks';
import {
  CODES_PER_DEVICE,
  CODES_PER_NETWORK,
  CODES_PER_PERSON,
  consume,
  forgive,
  giveBack,
  PASSKEY_SIGN_INS_PER_NETWORK,
} from '@/lib/platform/rate-limits';
import { recordAccount, recordAttempt } from '../audit/record-account';
import { spendCode } from '../factors/check-code';
import {
  countRecoveryCodes,
  findPasskey,
  listPasskeys,
  lockPerson,
  type PasskeyRow,
  spendPasskey,
} from '../factors/data';
import { getFactors } from '../factors/manage-factors';
import {
  type PublicKeyCredentialRequestOptionsJSON,
  readAssertion,
  requestOptions,
} from '../factors/passkey-ceremony';
import type { FactorKind } from '../factors/schema';
import { openSignIn, type SignInFacts, type SigningIn } from './auth-sessions';
import { findPassword } from './data';
import { findKnownDevice } from './known-devices';
import {
  countPendingFailure,
  findPendingSignIn,
  insertPendingSignIn,
  lockPendingSignIn,
  markPendingUsed,
  setPendingChallenge,
} from './session-data';
import type { SignInClient } from './sign-in';

/** A second step has to follow the first within this time. */
export const SECOND_STEP_SECONDS = 5 * 60;
const MAX_FAILURES = 5;
const OVER = 'This sign-in has expired. Start again.';
const WRONG_CODE = 'This code is wrong or was used already. Enter the current one.';
const WRONG_PASSKEY = 'This passkey wasn’t accepted. Try again, or use a code.';

/** Where a second step comes from. */
export type StepClient = SignInClient & { userAgent: string };

export interface SignedIn {
  userId: string;
  authSessionId: string;
}

/**
 * Begins the second step of a person who has done the first. Returns the token that the browser
 * keeps in a cookie: it is good for the second step alone, once and for five minutes.
 */
export async function beginSecondStep(
  person: Omit<SigningIn, 'email'>,
  method: string,
  now = new Date(),
): Promise<string> {
  return insert({ userId: person.id, passwordVersion: person.passwordVersion, method }, null, now);
}

/** Returns how the person can do the second step; null once it has expired or was done. */
export async function readSecondStep(
  token: string | undefined,
  now = new Date(),
): Promise<{ hasApp: boolean; hasPasskey: boolean; hasRecoveryCodes: boolean } | null> {
  const pending = token ? await findPendingSignIn(hashToken(token), now) : null;
  if (!pending?.userId || pending.failures >= MAX_FAILURES) return null;
  const { totp, passkeys, recoveryCodesLeft } = await getFactors(pending.userId);
  return {
    hasApp: totp !== null,
    hasPasskey: passkeys.length > 0,
    hasRecoveryCodes: recoveryCodesLeft > 0,
  };
}

/**
 * Signs in with a code of the app or a recovery code. Throws InvalidError at the field for a wrong
 * or used one, LimitExceededError after too many, UnauthenticatedError when the second step is over.
 */
export async function finishWithCode(
  token: string | undefined,
  code: string,
  client: StepClient,
  now = new Date(),
): Promise<SignedIn> {
  const { tokenHash, userId } = await getPending(token, now);
  if (!userId) throw new UnauthenticatedError(OVER);
  const forgiveTries = await countTry(userId, client);
  const signedIn = await finish(tokenHash, userId, client, now, (db) =>
    spendCode(db, userId, code, now),
  );
  if (!signedIn) throw new InvalidError(WRONG_CODE, { code: WRONG_CODE });
  await forgiveTries();
  return signedIn;
}

/** Returns what the browser asks a passkey for. Throws UnauthenticatedError when the step is over. */
export async function beginPasskeyStep(
  token: string | undefined,
  now = new Date(),
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { tokenHash, userId } = await getPending(token, now);
  const passkeys = userId ? await listPasskeys(userId) : [];
  if (passkeys.length === 0) throw new UnauthenticatedError(OVER);
  const options = await requestOptions(passkeys);
  await setPendingChallenge(tokenHash, options.challenge);
  return options;
}

/** Begins a sign-in with a passkey alone. Returns the token for the browser's cookie as well. */
export async function beginPasskeySignIn(
  client: SignInClient,
  now = new Date(),
): Promise<{ token: string; options: PublicKeyCredentialRequestOptionsJSON }> {
  await consume(PASSKEY_SIGN_INS_PER_NETWORK, networkOf(client.address));
  const options = await requestOptions([]);
  const first = { userId: null, passwordVersion: null, method: 'passkey' };
  return { token: await insert(first, options.challenge, now), options };
}

/**
 * Signs in with a passkey, as the second step or alone. Throws InvalidError for an answer that doesn't
 * fit, UnauthenticatedError when the step is over.
 */
export async function finishWithPasskey(
  token: string | undefined,
  answer: { id: string },
  client: StepClient,
  now = new Date(),
): Promise<SignedIn> {
  const { tokenHash, userId, challenge } = await getPending(token, now);
  const passkey = await findPasskey(answer.id);
  const isOwn = passkey && (userId === null || passkey.userId === userId);
  const read = isOwn && challenge ? { passkey, challenge } : null;
  const owner = userId ?? passkey?.userId ?? null;
  const signedIn = await finish(tokenHash, owner, client, now, async (db) =>
    read && (await isAccepted(db, answer, read, userId === null, now)) ? 'passkey' : null,
  );
  if (!signedIn) throw new InvalidError(WRONG_PASSKEY);
  return signedIn;
}

/** The counter's row decides: a repeated answer finds that it has moved on. */
async function isAccepted(
  db: AccountDb,
  answer: unknown,
  { passkey, challenge }: { passkey: PasskeyRow; challenge: string },
  isAlone: boolean,
  now: Date,
): Promise<boolean> {
  const counter = await readAssertion(answer, challenge, passkey, { isAlone });
  return counter !== null && (await spendPasskey(db, passkey, counter, now));
}

/** Null for a wrong factor. The first step, the factor and the new sign-in are one transaction. */
async function finish(
  tokenHash: string,
  userId: string | null,
  { deviceCookie: _, ...client }: StepClient,
  now: Date,
  use: (db: AccountDb) => Promise<FactorKind | null>,
): Promise<SignedIn | null> {
  const { userAgent, ...from } = client;
  const outcome = await inAccountTransaction(async (db) => {
    const person = userId ? await lockPerson(db, userId) : null;
    const pending = await lockPendingSignIn(db, tokenHash, now);
    if (!pending || pending.failures >= MAX_FAILURES) throw new UnauthenticatedError(OVER);
    const factor = person ? await use(db) : null;
    if (!userId || !person || !factor) {
      await countPendingFailure(db, tokenHash);
      return { person, signedIn: null };
    }
    await markPendingUsed(db, tokenHash, now);
    const { method, passwordVersion } = pending;
    const facts: SignInFacts = { ...from, method, userAgent, secondFactor: factor };
    const who = { id: userId, email: person.email };
    const authSessionId = await openSignIn(db, { ...who, passwordVersion }, facts, now);
    if (factor === 'recovery_code') {
      const left = await countRecoveryCodes(userId, db);
      await recordAccount(db, who, from, 'account.recovery_code_used', { left });
    }
    return { person, signedIn: { userId, authSessionId } };
  });
  const { person, signedIn } = outcome;
  if (!signedIn) {
    const who = userId && person ? { id: userId, email: person.email } : null;
    recordAttempt(who, from, 'account.code_failed', { during: 'sign-in' });
  }
  return signedIn;
}

async function getPending(token: string | undefined, now: Date) {
  const tokenHash = token ? hashToken(token) : '';
  const pending = token ? await findPendingSignIn(tokenHash, now) : null;
  if (!pending || pending.failures >= MAX_FAILURES) throw new UnauthenticatedError(OVER);
  return { ...pending, tokenHash };
}

/**
 * Counts a code before it is checked. A device that the person has used before has a limit of its
 * own, which tries from elsewhere don't use up. Returns what gives the tries back.
 */
async function countTry(
  userId: string,
  { deviceCookie, address }: StepClient,
): Promise<() => Promise<void>> {
  const account = await findPassword(userId);
  const device = account && findKnownDevice(deviceCookie, account);
  if (device) {
    await consume(CODES_PER_DEVICE, device);
    return () => forgive(CODES_PER_DEVICE, device);
  }
  const key = JSON.stringify([userId, networkOf(address)]);
  await consume(CODES_PER_NETWORK, key);
  await consume(CODES_PER_PERSON, userId);
  return async () => {
    await forgive(CODES_PER_NETWORK, key);
    await giveBack(CODES_PER_PERSON, userId);
  };
}

async function insert(
  first: { userId: string | null; passwordVersion: number | null; method: string },
  challenge: string | null,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = new Date(now.getTime() + SECOND_STEP_SECONDS * 1000);
  await insertPendingSignIn({ ...first, tokenHash: hashToken(token), challenge, expiresAt });
  return token;
}
