import { describe, expect, it } from 'vitest';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import { changeName, changePassword, getSignInMethods } from '@/lib/identity/auth/change-account';
import { replacePassword } from '@/lib/identity/auth/data';
import { createResetLink, readReset, resetPassword } from '@/lib/identity/auth/password-resets';
import { signInWithPassword, signInWithProvider } from '@/lib/identity/auth/sign-in';
import { setAccountPassword } from '@/lib/identity/auth/sign-up';
import { inAccountTransaction } from '@/lib/platform/db/account-db';
import {
  ConflictError,
  InvalidError,
  LimitExceededError,
  PreconditionFailedError,
} from '@/lib/platform/errors';
import { PASSWORD_CHANGES_PER_PERSON } from '@/lib/platform/rate-limits';
import { useTestDatabase } from '@/tests/support/database';
import { openedSignIn, selectAll, signedUp } from './people';

const database = useTestDatabase();
const NEW = 'an entirely new password';
const client = { address: '192.0.2.9' };
const HOUR_MS = 3_600_000;

async function signedIn() {
  const alice = await signedUp();
  const here = await openedSignIn(alice.userId, 'Firefox');
  const there = await openedSignIn(alice.userId, 'Chrome');
  const user = await readAuthSession(here);
  if (!user) throw new Error('The sign-in is not there.');
  return { ...alice, user, here, there };
}

async function linkToken(email: string, now = new Date()): Promise<string> {
  const token = (await createResetLink(email, now))?.split('/reset/')[1];
  if (!token) throw new Error('There is no link.');
  return token;
}

describe('[SAS-1.1] changing the password', () => {
  it('[SEC-1.3] keeps this browser signed in and signs out every other one', async () => {
    const { user, email, password, here, there } = await signedIn();
    const stranger = await signedIn();
    await changePassword(user, { currentPassword: password, newPassword: NEW }, client);
    expect(await readAuthSession(here)).not.toBeNull();
    expect(await readAuthSession(there)).toBeNull();
    expect(await readAuthSession(stranger.there)).not.toBeNull();
    await expect(signInWithPassword({ email, password }, client)).rejects.toThrow('wrong');
    expect((await signInWithPassword({ email, password: NEW }, client)).id).toBe(user.id);
  });

  it('refuses a wrong current password at its field, and too many of them', async () => {
    const { user, password, there } = await signedIn();
    const wrong = { currentPassword: 'not it', newPassword: NEW };
    const error = await changePassword(user, wrong, client).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({ fields: { currentPassword: expect.any(String) } });
    for (let tries = 1; tries < PASSWORD_CHANGES_PER_PERSON.points; tries += 1) {
      await expect(changePassword(user, wrong, client)).rejects.toThrow(InvalidError);
    }
    const right = { currentPassword: password, newPassword: NEW };
    await expect(changePassword(user, right, client)).rejects.toThrow(LimitExceededError);
    expect(await readAuthSession(there)).not.toBeNull();
  });

  it('[SEC-1.3] refuses one that is easy to guess, at its field, and changes nothing', async () => {
    const { user, email, password, there } = await signedIn();
    const guessed = { currentPassword: password, newPassword: `${email}1` };
    await expect(changePassword(user, guessed, client)).rejects.toMatchObject({
      fields: { newPassword: expect.stringContaining('easy to guess') },
    });
    expect(await readAuthSession(there)).not.toBeNull();
    expect((await signInWithPassword({ email, password }, client)).id).toBe(user.id);
  });

  it('is nothing for an account that signs in with a provider alone', async () => {
    const { user } = await signedIn();
    await inAccountTransaction((db) =>
      replacePassword(db, user.id, null, user.authSessionId, new Date()),
    );
    expect(await getSignInMethods(user)).toEqual({ hasPassword: false, providers: [] });
    const attempt = changePassword(user, { currentPassword: 'x', newPassword: NEW }, client);
    await expect(attempt).rejects.toThrow(PreconditionFailedError);
  });
});

describe('[SAS-1.1] a name', () => {
  it('is changed by its person', async () => {
    const { user, here } = await signedIn();
    await changeName(user, 'Ana Maria');
    expect((await readAuthSession(here))?.name).toBe('Ana Maria');
  });
});

describe('[SAS-1.1] a reset link', () => {
  it('[SEC-1.3] sets a password once, signs out everywhere, and is stored as a hash alone', async () => {
    const { email, here, there } = await signedIn();
    const token = await linkToken(email);
    expect(await readReset(token)).toEqual({ email });
    const rows = await selectAll(database, 'select * from password_reset');
    expect(JSON.stringify(rows)).not.toContain(token);
    await resetPassword(token, NEW, client);
    expect(await readAuthSession(here)).toBeNull();
    expect(await readAuthSession(there)).toBeNull();
    expect((await signInWithPassword({ email, password: NEW }, client)).email).toBe(email);
    expect(await readReset(token)).toBeNull();
    const again = resetPassword(token, 'another long password', client);
    await expect(again).rejects.toThrow(ConflictError);
  });

  it('[SEC-1.3] sets no password that is easy to guess, and stays good', async () => {
    const { email, password } = await signedIn();
    const token = await linkToken(email);
    await expect(resetPassword(token, '1234567890', client)).rejects.toMatchObject({
      fields: { password: expect.stringContaining('frequently used') },
    });
    expect((await signInWithPassword({ email, password }, client)).email).toBe(email);
    expect(await readReset(token)).toEqual({ email });
  });

  it('used by two at once sets one password', async () => {
    const { email } = await signedIn();
    const token = await linkToken(email);
    const results = await Promise.allSettled([
      resetPassword(token, NEW, client),
      resetPassword(token, `${NEW} 2`, client),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('[SEC-1.3] ends after an hour, and with the use of another one', async () => {
    const { email } = await signedIn();
    const old = await linkToken(email, new Date(Date.now() - HOUR_MS));
    expect(await readReset(old)).toBeNull();
    await expect(resetPassword(old, NEW, client)).rejects.toThrow(ConflictError);
    const [first, second] = [await linkToken(email), await linkToken(email)];
    await resetPassword(second, NEW, client);
    expect(await readReset(first)).toBeNull();
  });

  it('[SEC-1.3] ends with a change of the password, and other people’s links stay', async () => {
    const { user, email, password } = await signedIn();
    const stranger = await signedIn();
    const [token, other] = [await linkToken(email), await linkToken(stranger.email)];
    await changePassword(user, { currentPassword: password, newPassword: NEW }, client);
    expect(await readReset(token)).toBeNull();
    const attempt = resetPassword(token, 'the attacker’s password', client);
    await expect(attempt).rejects.toThrow(ConflictError);
    expect((await signInWithPassword({ email, password: NEW }, client)).id).toBe(user.id);
    expect(await readReset(other)).toEqual({ email: stranger.email });
  });

  it('[SEC-1.3] ends when the owner of the address links a provider, with all sign-ins', async () => {
    const { email, here, there } = await signedIn();
    const token = await linkToken(email);
    const profile = { provider: 'oidc', providerAccountId: email, email, name: 'Alice' };
    await signInWithProvider({ ...profile, isEmailVerified: true }, client);
    expect(await readReset(token)).toBeNull();
    await expect(resetPassword(token, NEW, client)).rejects.toThrow(ConflictError);
    for (const session of [here, there]) expect(await readAuthSession(session)).toBeNull();
  });

  it('[SEC-1.3] ends, with all sign-ins, when the password is set from the host', async () => {
    const { email, userId, here } = await signedIn();
    const token = await linkToken(email);
    await setAccountPassword(userId, NEW);
    expect(await readReset(token)).toBeNull();
    expect(await readAuthSession(here)).toBeNull();
  });

  it('is made for no unknown address', async () => {
    expect(await createResetLink('nobody@example.com')).toBeNull();
  });
});
