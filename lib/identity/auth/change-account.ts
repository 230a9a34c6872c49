import { hashPassword, verifyPassword } from '@/lib/platform/crypto/password';
import { inAccountTransaction } from '@/lib/platform/db/account-db';
import { ConflictError, InvalidError, PreconditionFailedError } from '@/lib/platform/errors';
import type { Client } from '@/lib/platform/http/client-address';
import { consume, forgive, PASSWORD_CHANGES_PER_PERSON } from '@/lib/platform/rate-limits';
import { recordAccount } from '../audit/record-account';
import { lockPerson } from '../factors/data';
import { findPassword, listProvidersOf, replacePassword, setName } from './data';
import { refuseWeakPassword } from './password-strength';
import type { ChangePasswordInput, SignedInUser } from './schema';

export async function changeName(user: SignedInUser, name: string): Promise<void> {
  await setName(user.id, name);
}

/** Returns how the person can sign in: whether with a password, and with which providers. */
export async function getSignInMethods(
  user: SignedInUser,
): Promise<{ hasPassword: boolean; providers: string[] }> {
  const [password, providers] = await Promise.all([
    findPassword(user.id),
    listProvidersOf(user.id),
  ]);
  return { hasPassword: password?.passwordHash != null, providers };
}

/**
 * Sets a new password, signs out every other browser and ends reset links. Throws InvalidError at
 * the field for a wrong current password or a new one that is easy to guess, LimitExceededError
 * after too many tries, ConflictError when the password changes at the same moment.
 */
export async function changePassword(
  user: SignedInUser,
  { currentPassword, newPassword }: ChangePasswordInput,
  client: Client,
  now = new Date(),
): Promise<void> {
  await consume(PASSWORD_CHANGES_PER_PERSON, user.id);
  const stored = await findPassword(user.id);
  if (!stored?.passwordHash) {
    throw new PreconditionFailedError(
      'Your account has no password: you sign in with a provider. Nothing was changed.',
    );
  }
  if (!(await verifyPassword(currentPassword, stored.passwordHash))) {
    const message = 'This isn’t your current password.';
    throw new InvalidError(message, { currentPassword: message });
  }
  await refuseWeakPassword('newPassword', newPassword, [user.email, user.name]);
  const passwordHash = await hashPassword(newPassword);
  await inAccountTransaction(async (db) => {
    const current = await lockPerson(db, user.id);
    if (current?.passwordVersion !== stored.passwordVersion) {
      throw new ConflictError(
        'Your password was changed in the meantime. Nothing was changed now.',
      );
    }
    await replacePassword(db, user.id, passwordHash, user.authSessionId, now);
    await recordAccount(db, user, client, 'account.password_changed');
  });
  await forgive(PASSWORD_CHANGES_PER_PERSON, user.id);
}
