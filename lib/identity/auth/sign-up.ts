import { v7 as uuidv7 } from 'uuid';
import { hashPassword } from '@/lib/platform/crypto/password';
import { inAccountTransaction } from '@/lib/platform/db/account-db';
import { env } from '@/lib/platform/env';
import { ForbiddenError, InvalidError } from '@/lib/platform/errors';
import { networkOf } from '@/lib/platform/networks';
import { consume, SIGN_UP_PER_NETWORK } from '@/lib/platform/rate-limits';
import { foundOrganization } from '../organizations/service';
import { findUserByEmail, insertUser, isEmailConflict, replacePassword } from './data';
import { refuseWeakPassword } from './password-strength';
import type { SignUpInput } from './schema';

interface SignedUp {
  userId: string;
  email: string;
  organizationId: string;
  organizationSlug: string;
}

/**
 * Signs up a new person on the web. Throws ForbiddenError if sign-up is closed, InvalidError for a
 * password that is easy to guess.
 */
export async function signUp(input: SignUpInput, client: { address: string }): Promise<SignedUp> {
  if (!isSignUpOpen(env())) {
    throw new ForbiddenError(
      'Sign-up is closed on this installation. Ask an admin for an invitation.',
    );
  }
  await consume(SIGN_UP_PER_NETWORK, networkOf(client.address));
  await refuseWeakPassword('password', input.password, [
    input.email,
    input.name,
    input.organizationName,
  ]);
  return createAccount(input);
}

/**
 * Creates the person, their organization, their membership and the audit entry in one transaction.
 * Not rate-limited, for set-up and the command line. Throws InvalidError when the e-mail address is
 * taken.
 */
export async function createAccount(
  input: SignUpInput,
  { isDemo = false }: { isDemo?: boolean } = {},
): Promise<SignedUp> {
  if (await findUserByEmail(input.email)) throw emailTaken();
  const userId = uuidv7();
  const passwordHash = await hashPassword(input.password);
  try {
    const { organizationId, slug } = await foundOrganization(
      { id: userId, label: input.email },
      {
        name: input.organizationName,
        isDemo,
        before: (db) =>
          insertUser(db, { id: userId, email: input.email, name: input.name, passwordHash }),
      },
    );
    return { userId, email: input.email, organizationId, organizationSlug: slug };
  } catch (error) {
    throw isEmailConflict(error) ? emailTaken() : error;
  }
}

function emailTaken(): InvalidError {
  const message = 'An account with this e-mail address already exists. Sign in instead.';
  return new InvalidError(message, { email: message });
}

/** Returns the account of an e-mail address, or null. `id` is a UUID. */
export async function findAccount(email: string): Promise<{ id: string; email: string } | null> {
  return findUserByEmail(email);
}

/**
 * Sets a password without checking the current one, for set-up. Sign-ins and reset links from before
 * end. `userId` is a UUID.
 */
export async function setAccountPassword(userId: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  await inAccountTransaction((db) => replacePassword(db, userId, passwordHash, null, new Date()));
}

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]', '::1'];

interface SignUpFacts {
  signUp: 'open' | 'invite' | '';
  isLoopbackOnly: boolean;
  publicUrl: string;
}

/**
 * Returns whether anyone may create an account. By default only if the service listens on loopback:
 * a proxy in front, recognized by the public address, makes it reachable from outside.
 */
export function isSignUpOpen({ signUp, isLoopbackOnly, publicUrl }: SignUpFacts): boolean {
  if (signUp) return signUp === 'open';
  return isLoopbackOnly && LOOPBACK_HOSTS.includes(new URL(publicUrl).hostname);
}
