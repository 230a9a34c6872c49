import { v7 as uuidv7 } from 'uuid';
import { hashPassword, isOutdatedHash, verifyPassword } from '@/lib/platform/crypto/password';
import { inAccountTransaction } from '@/lib/platform/db/account-db';
import { env } from '@/lib/platform/env';
import { LimitExceededError, UnauthenticatedError } from '@/lib/platform/errors';
import type { Client } from '@/lib/platform/http/client-address';
import { networkOf } from '@/lib/platform/networks';
import {
  consume,
  forgive,
  giveBack,
  isWithinLimit,
  type Limit,
  LOCKOUTS_RECORDED,
  SIGN_IN_ATTACK,
  SIGN_IN_PER_ACCOUNT,
  SIGN_IN_PER_DEVICE,
  SIGN_IN_PER_NETWORK,
  SIGN_IN_UNDER_ATTACK,
} from '@/lib/platform/rate-limits';
import { recordAccount, recordAttempt } from '../audit/record-account';
import { isInvitedAnywhere } from '../tenancy/make-scope';
import {
  findUserByAccount,
  findUserByEmail,
  insertAccount,
  insertUserOfProvider,
  replacePassword,
  setPasswordHash,
  type UserRow,
} from './data';
import { findKnownDevice } from './known-devices';
import type { ProviderProfile, SignInInput } from './schema';
import { isSignUpOpen } from './sign-up';

export const WRONG_SIGN_IN = 'E-mail or password is wrong.';

/** Where a sign-in comes from. */
export interface SignInClient extends Client {
  /** The cookie of a browser that somebody has signed in with before. */
  deviceCookie?: string | undefined;
}

/**
 * Returns the person with this e-mail address and password. The response and the work are the same
 * for an unknown address and a wrong password: UnauthenticatedError, or LimitExceededError after
 * too many tries.
 *
 * A device that the person has used before has a limit of its own. Otherwise tries count by network,
 * and by account only within a network: wrong tries from elsewhere never refuse the right password.
 */
export async function signInWithPassword(
  input: SignInInput,
  { deviceCookie, ...client }: SignInClient,
): Promise<UserRow> {
  const user = await findUserByEmail(input.email);
  const device = user?.passwordHash ? findKnownDevice(deviceCookie, user) : null;
  const counted = await count(input.email, device, client).catch(async (error: unknown) => {
    if (error instanceof LimitExceededError) {
      const key = JSON.stringify([input.email, device ?? networkOf(client.address)]);
      const isFirst = await isWithinLimit(LOCKOUTS_RECORDED, key);
      if (isFirst) recordAttempt(user, client, 'account.locked_out', error.details);
    }
    throw error;
  });
  const isRight = await verifyPassword(input.password, user?.passwordHash ?? null);
  if (!user?.passwordHash || !isRight) {
    recordAttempt(user, client, 'account.sign_in_failed', { isKnownDevice: device !== null });
    throw new UnauthenticatedError(WRONG_SIGN_IN);
  }
  for (const [limit, key] of counted.shared) await giveBack(limit, key);
  for (const [limit, key] of counted.own) await forgive(limit, key);
  if (!isOutdatedHash(user.passwordHash)) return user;
  const passwordHash = await hashPassword(input.password);
  await setPasswordHash(user, passwordHash);
  return { ...user, passwordHash };
}

/** What the right password gives back: one try of a shared count, all of the person's own. */
interface Counted {
  shared: [Limit, string][];
  own: [Limit, string][];
}

/** Throws LimitExceededError. */
async function count(email: string, device: string | null, client: Client): Promise<Counted> {
  if (device) {
    await consume(SIGN_IN_PER_DEVICE, device);
    return { shared: [], own: [[SIGN_IN_PER_DEVICE, device]] };
  }
  const network = networkOf(client.address);
  const key = JSON.stringify([email, network]);
  await consume(SIGN_IN_PER_NETWORK, network);
  await consume(SIGN_IN_PER_ACCOUNT, key);
  const shared: [Limit, string][] = [
    [SIGN_IN_PER_NETWORK, network],
    [SIGN_IN_ATTACK, email],
  ];
  if (await isWithinLimit(SIGN_IN_ATTACK, email)) {
    return { shared, own: [[SIGN_IN_PER_ACCOUNT, key]] };
  }
  await consume(SIGN_IN_UNDER_ATTACK, key);
  return {
    shared,
    own: [
      [SIGN_IN_PER_ACCOUNT, key],
      [SIGN_IN_UNDER_ATTACK, key],
    ],
  };
}

type ProviderSignIn =
  | { ok: true; user: UserRow }
  | { ok: false; reason: 'email_not_verified' | 'sign_up_closed' };

/**
 * Returns the person of a provider's account: known by it, else linked by an e-mail address that
 * the provider has verified, else new where sign-up is open or the address is invited.
 */
export async function signInWithProvider(
  profile: ProviderProfile,
  client: Client,
  now = new Date(),
): Promise<ProviderSignIn> {
  const known = await findUserByAccount(profile.provider, profile.providerAccountId);
  if (known) return { ok: true, user: known };
  if (!profile.isEmailVerified || !profile.email)
    return { ok: false, reason: 'email_not_verified' };
  const owner = await findUserByEmail(profile.email);
  if (owner) return { ok: true, user: await link(owner, profile, client, now) };
  const mayEnter = isSignUpOpen(env()) || (await isInvitedAnywhere(profile.email, now));
  if (!mayEnter) return { ok: false, reason: 'sign_up_closed' };
  const user = { id: uuidv7(), email: profile.email, name: profile.name, passwordHash: null };
  return { ok: true, user: await insertUserOfProvider(user, profile) };
}

/**
 * Our own sign-up doesn't verify addresses, so a stranger may have created the account before its
 * owner. The owner gets in, and the person who knew the password is signed out.
 */
async function link(
  owner: UserRow,
  profile: ProviderProfile,
  client: Client,
  now: Date,
): Promise<UserRow> {
  const passwordVersion = await inAccountTransaction(async (db) => {
    const version = owner.passwordHash
      ? await replacePassword(db, owner.id, null, null, now)
      : owner.passwordVersion;
    await insertAccount(owner.id, profile, db);
    await recordAccount(db, owner, client, 'account.provider_linked', {
      provider: profile.provider,
      isPasswordRemoved: owner.passwordHash !== null,
    });
    return version;
  });
  return { ...owner, passwordHash: null, passwordVersion };
}
