import { hashPassword, isOutdatedHash, verifyPassword } from '@/lib/platform/crypto/password';
import { UnauthenticatedError } from '@/lib/platform/errors';
import { SIGN_IN_PER_ACCOUNT, SIGN_IN_PER_ADDRESS } from '@/lib/platform/rate-limits/limits';
import { consume, forgive, giveBack } from '@/lib/platform/rate-limits/rate-limits';
import { findUserByEmail, setPasswordHash, type UserRow } from '../data';
import type { SignInInput } from '../schema';

export const WRONG_SIGN_IN = 'E-mail or password is wrong.';

/**
 * Whoever has this e-mail address and password. The answer and the work are the same for an
 * unknown address and a wrong password: UnauthenticatedError, or LimitExceededError after too
 * many tries for the account or from the network address.
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
