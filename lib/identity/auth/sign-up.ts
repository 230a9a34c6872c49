import { v7 as uuidv7 } from 'uuid';
import { hashPassword } from '@/lib/platform/crypto/password';
import { env } from '@/lib/platform/env';
import { ForbiddenError, InvalidError } from '@/lib/platform/errors';
import { consume, SIGN_UP_PER_ADDRESS } from '@/lib/platform/rate-limits';
import { foundOrganization } from '../organizations/service';
import { findUserByEmail, insertUser, isEmailConflict, setPasswordHash } from './data';
import type { SignUpInput } from './schema';

interface SignedUp {
  userId: string;
  organizationId: string;
  organizationSlug: string;
}

/** For strangers on the web. Throws ForbiddenError while sign-up is closed. */
export async function signUp(input: SignUpInput, client: { address: string }): Promise<SignedUp> {
  if (!isSignUpOpen(env())) {
    throw new ForbiddenError(
      'Sign-up is closed on this installation. Ask an admin for an invitation.',
    );
  }
  await consume(SIGN_UP_PER_ADDRESS, client.address);
  return createAccount(input);
}

/**
 * The person, their organization, their membership and the audit entry, or none of them. Without
 * limits, for set-up and the command line. Throws InvalidError when the e-mail address is taken.
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
    return { userId, organizationId, organizationSlug: slug };
  } catch (error) {
    throw isEmailConflict(error) ? emailTaken() : error;
  }
}

function emailTaken(): InvalidError {
  const message = 'An account with this e-mail address already exists. Sign in instead.';
  return new InvalidError(message, { email: message });
}

/** The account of an e-mail address; null where there is none. `id` is a UUID. */
export async function findAccount(email: string): Promise<{ id: string; email: string } | null> {
  return findUserByEmail(email);
}

/** Without asking for the present one, for set-up. `userId` is a UUID. */
export async function setAccountPassword(userId: string, password: string): Promise<void> {
  await setPasswordHash(userId, await hashPassword(password));
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
