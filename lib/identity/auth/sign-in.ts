import { v7 as uuidv7 } from 'uuid';
import { hashPassword, isOutdatedHash, verifyPassword } from '@/lib/platform/crypto/password';
import { env } from '@/lib/platform/env';
import { UnauthenticatedError } from '@/lib/platform/errors';
import {
  consume,
  forgive,
  giveBack,
  SIGN_IN_PER_ACCOUNT,
  SIGN_IN_PER_ADDRESS,
} from '@/lib/platform/rate-limits';
import { isInvitedAnywhere } from '../tenancy/make-scope';
import { revokeAuthSessionsOf } from './auth-sessions';
import {
  findUserByAccount,
  findUserByEmail,
  insertAccount,
  insertUserOfProvider,
  setPasswordHash,
  type UserRow,
} from './data';
import type { ProviderProfile, SignInInput } from './schema';
import { isSignUpOpen } from './sign-up';

export const WRONG_SIGN_IN = 'E-mail or password is wrong.';

/**
 * Returns the person with this e-mail address and password. The response and the work are the same
 * for an unknown address and a wrong password: UnauthenticatedError, or LimitExceededError after
 * too many tries for the account or from the network address.
 */
export async function signInWithPassword(
  input: SignInInput,
  client: { address: string },
): Promise<UserRow> {
  await consume(SIGN_IN_PER_ADDRESS, client.address);
  await consume(SIGN_IN_PER_ACCOUNT, input.email);
  const user = await findUserByEmail(input.email);
  const isRight = await verifyPassword(input.password, user?.passwordHash ?? null);
  if (!user?.passwordHash || !isRight) throw new UnauthenticatedError(WRONG_SIGN_IN);
  await forgive(SIGN_IN_PER_ACCOUNT, input.email);
  await giveBack(SIGN_IN_PER_ADDRESS, client.address);
  if (isOutdatedHash(user.passwordHash)) {
    await setPasswordHash(user.id, await hashPassword(input.password));
  }
  return user;
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
  now = new Date(),
): Promise<ProviderSignIn> {
  const known = await findUserByAccount(profile.provider, profile.providerAccountId);
  if (known) return { ok: true, user: known };
  if (!profile.isEmailVerified || !profile.email)
    return { ok: false, reason: 'email_not_verified' };
  const owner = await findUserByEmail(profile.email);
  if (owner) return { ok: true, user: await link(owner, profile) };
  const mayEnter = isSignUpOpen(env()) || (await isInvitedAnywhere(profile.email, now));
  if (!mayEnter) return { ok: false, reason: 'sign_up_closed' };
  const user = { id: uuidv7(), email: profile.email, name: profile.name, passwordHash: null };
  return { ok: true, user: await insertUserOfProvider(user, profile) };
}

/**
 * Our own sign-up doesn't verify addresses, so a stranger may have created the account before its
 * owner. The owner gets in, and the person who knew the password is signed out.
 */
async function link(owner: UserRow, profile: ProviderProfile): Promise<UserRow> {
  if (owner.passwordHash) {
    await setPasswordHash(owner.id, null);
    await revokeAuthSessionsOf(owner.id);
  }
  await insertAccount(owner.id, profile);
  return { ...owner, passwordHash: null };
}
