import { hashPassword } from '@/lib/platform/crypto/password';
import { hashToken, mintToken, readTokenPrefix } from '@/lib/platform/crypto/tokens';
import { inAccountTransaction } from '@/lib/platform/db/account-db';
import { env } from '@/lib/platform/env';
import { ConflictError } from '@/lib/platform/errors';
import type { Client } from '@/lib/platform/http/client-address';
import { sendMail } from '@/lib/platform/mail';
import { networkOf } from '@/lib/platform/networks';
import {
  consume,
  forgive,
  isWithinLimit,
  RESETS_PER_ACCOUNT,
  RESETS_PER_NETWORK,
} from '@/lib/platform/rate-limits';
import { recordAccount } from '../audit/record-account';
import { lockPerson } from '../factors/data';
import {
  findPasswordReset,
  findUserByEmail,
  insertPasswordReset,
  replacePassword,
  spendReset,
} from './data';
import { refuseWeakPassword } from './password-strength';

export const RESET_LIFETIME_MS = 3_600_000;
const OVER = 'This link was used or has expired. Request a new one.';

/** A link that sets a new password within the hour; null when the address has no account. */
export async function createResetLink(email: string, now = new Date()): Promise<string | null> {
  const user = await findUserByEmail(email);
  if (!user) return null;
  const token = mintToken('rst');
  await insertPasswordReset({
    tokenHash: hashToken(token),
    userId: user.id,
    expiresAt: new Date(now.getTime() + RESET_LIFETIME_MS),
  });
  return `${env().publicUrl.replace(/\/$/, '')}/reset/${token}`;
}

/**
 * Sends a link by e-mail. The answer is the same whether the address has an account or not, and
 * does not wait for the mail, whose time would tell.
 */
export async function requestReset(email: string, client: Client, now = new Date()): Promise<void> {
  await consume(RESETS_PER_NETWORK, networkOf(client.address));
  if (!(await isWithinLimit(RESETS_PER_ACCOUNT, email))) return;
  const link = await createResetLink(email, now);
  if (link) void sendMail({ to: email, ...resetMail(link) });
}

/** Whose password a link sets; null once it is over or was never one. Changes nothing. */
export async function readReset(
  token: string,
  now = new Date(),
): Promise<{ email: string } | null> {
  const reset = await findOpenReset(token, now);
  return reset && { email: reset.email };
}

async function findOpenReset(
  token: string,
  now: Date,
): Promise<{ userId: string; email: string } | null> {
  if (readTokenPrefix(token) !== 'rst') return null;
  const row = await findPasswordReset(hashToken(token));
  if (!row || row.usedAt || row.expiresAt <= now) return null;
  return { userId: row.userId, email: row.user.email };
}

/**
 * Sets the password and signs the person out everywhere. Throws ConflictError for a dead link, and
 * InvalidError for a password that is easy to guess; the link stays good then.
 */
export async function resetPassword(
  token: string,
  newPassword: string,
  client: Client,
  now = new Date(),
): Promise<{ userId: string }> {
  await consume(RESETS_PER_NETWORK, networkOf(client.address));
  const reset = await findOpenReset(token, now);
  if (!reset) throw new ConflictError(OVER);
  await refuseWeakPassword('password', newPassword, [reset.email]);
  const passwordHash = await hashPassword(newPassword);
  await inAccountTransaction(async (db) => {
    await lockPerson(db, reset.userId);
    const person = await spendReset(db, hashToken(token), now);
    if (!person) throw new ConflictError(OVER);
    await replacePassword(db, person.id, passwordHash, null, now);
    await recordAccount(db, person, client, 'account.password_reset');
  });
  // The links that were sent within the limit have ended with this one.
  await forgive(RESETS_PER_ACCOUNT, reset.email);
  return { userId: reset.userId };
}

/** Returns the e-mail with a password reset link. */
export function resetMail(link: string): { subject: string; text: string } {
  return {
    subject: 'Set a new password for Tierwatch',
    text: [
      'Someone, probably you, requested a password reset for this address.',
      '',
      'Open this link to set a new password:',
      link,
      '',
      'The link works once and expires in an hour. If you didn’t request it, ignore this message: your password hasn’t changed.',
      '',
    ].join('\n'),
  };
}
