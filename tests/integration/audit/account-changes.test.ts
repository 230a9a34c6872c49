/** Changes of an account and their audit entries: both are committed, or neither. */

import { describe, expect, it, vi } from 'vitest';
import { readAuthSession, revokeOwnAuthSession } from '@/lib/identity/auth/auth-sessions';
import { changePassword } from '@/lib/identity/auth/change-account';
import { confirmWithCode } from '@/lib/identity/auth/confirm-identity';
import { createResetLink, resetPassword } from '@/lib/identity/auth/password-resets';
import { finishWithCode } from '@/lib/identity/auth/second-step';
import { signInWithProvider } from '@/lib/identity/auth/sign-in';
import {
  beginApp,
  confirmApp,
  getFactors,
  removeApp,
  renewRecoveryCodes,
  resetFactors,
} from '@/lib/identity/factors/manage-factors';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { useTestDatabase } from '@/tests/support/database';
import {
  codeOf,
  halfSignedIn,
  newStepClient,
  signedInUser,
  withApp,
  wrongCode,
} from '../accounts/factors';
import { openedSignIn, selectAll, signedUp } from '../accounts/people';

const database = useTestDatabase();
const NEW = 'an entirely new password';

/** Runs `work` while the audit log of accounts can't be written. */
async function withoutLog(work: () => Promise<void>): Promise<void> {
  const rename = (from: string, to: string) =>
    selectAll(database, `alter function app.${from}(uuid, text, bytea) rename to ${to}`);
  await rename('append_account_audit', 'append_account_audit_away');
  try {
    await work();
  } finally {
    await rename('append_account_audit_away', 'append_account_audit');
  }
}

/** What the rows about a person say, without when they were last seen. */
async function stateOf(userId: string): Promise<unknown> {
  const rows = (sql: string) => selectAll(database, sql, [userId]);
  return {
    person: await rows('select password_hash, password_version from user_account where id = $1'),
    providers: await rows('select provider from account where user_id = $1'),
    signIns: await rows(
      'select id, revoked_at, proved_at, second_factor_at from auth_session where user_id = $1 order by id',
    ),
    resets: await rows('select token_hash, used_at from password_reset where user_id = $1'),
    app: await rows('select confirmed_at, last_step from totp_factor where user_id = $1'),
    codes: await rows(
      'select code_hash, used_at from recovery_code where user_id = $1 order by code_hash',
    ),
    steps: await rows(
      'select token_hash, used_at from pending_sign_in where user_id = $1 order by token_hash',
    ),
  };
}

describe('[SEC-1.5] without its audit entry, nothing of an account changes:', () => {
  it('not the password, the providers, or the sign-ins', async () => {
    const { userId, email, password } = await signedUp();
    const user = await signedInUser(userId);
    const other = await openedSignIn(userId);
    const token = (await createResetLink(email))?.split('/reset/')[1] ?? '';
    const profile = {
      provider: 'github',
      providerAccountId: userId,
      email,
      isEmailVerified: true,
      name: 'Ana',
    };
    const client = newStepClient();
    const before = await stateOf(userId);
    await withoutLog(async () => {
      const changes: (() => Promise<unknown>)[] = [
        () => changePassword(user, { currentPassword: password, newPassword: NEW }, client),
        () => resetPassword(token, NEW, client),
        () => revokeOwnAuthSession(user, other, client),
        () => signInWithProvider(profile, client),
        () => openedSignIn(userId),
      ];
      for (const change of changes) await expect(change()).rejects.toThrow();
    });
    expect(await stateOf(userId)).toEqual(before);
  });

  it('not the second factors, a recovery code, or a second step', async () => {
    const { userId, email, user, secret, recoveryCodes } = await withApp();
    const [code = ''] = recoveryCodes;
    const token = await halfSignedIn(userId);
    const client = newStepClient();
    const newcomer = await signedUp();
    const theirs = await signedInUser(newcomer.userId);
    const begun = await beginApp(theirs);
    const before = await stateOf(userId);
    await withoutLog(async () => {
      const changes: (() => Promise<unknown>)[] = [
        () => confirmApp(theirs, codeOf(begun.secret), client),
        async () => removeApp(user, client),
        async () => renewRecoveryCodes(user, client),
        () => confirmWithCode(user, code, client),
        () => finishWithCode(token, codeOf(secret), client),
        () => resetFactors({ id: userId, email }),
      ];
      for (const change of changes) await expect(change()).rejects.toThrow();
    });
    expect(await stateOf(userId)).toEqual(before);
    expect(await getFactors(newcomer.userId)).toMatchObject({ totp: null, recoveryCodesLeft: 0 });
  });
});

it('[SEC-1.4] the audit log records factors, recovery codes and failed codes, without a secret', async () => {
  const alice = await withApp();
  const { userId, secret, recoveryCodes, user, scope } = alice;
  const [code = ''] = recoveryCodes;
  const client = newStepClient();
  await finishWithCode(await halfSignedIn(userId), code, client);
  const wrong = finishWithCode(await halfSignedIn(userId), wrongCode(secret), client);
  await expect(wrong).rejects.toThrow();
  const entries = () =>
    inTransaction(scope, (db) =>
      db.auditLog.findMany({
        where: { action: { startsWith: 'account.' } },
        orderBy: { seq: 'asc' },
      }),
    );
  // What isn't awaited arrives a moment later.
  await vi.waitFor(
    async () =>
      expect((await entries()).map(({ action }) => action)).toContain('account.code_failed'),
    { timeout: 60_000 },
  );
  await confirmWithCode(user, codeOf(secret), client);
  const fresh = await readAuthSession(user.authSessionId);
  if (!fresh) throw new Error('The sign-in is not there.');
  const codes = await renewRecoveryCodes(fresh, client);
  await removeApp(fresh, client);
  const seen = await entries();
  expect(seen.map(({ action }) => action)).toEqual([
    'account.signed_in',
    'account.factor_added',
    'account.signed_in',
    'account.recovery_code_used',
    'account.code_failed',
    'account.confirmed',
    'account.recovery_codes_created',
    'account.factor_removed',
  ]);
  expect(seen[2]?.detail).toMatchObject({ method: 'password', secondFactor: 'recovery_code' });
  expect(seen[3]?.detail).toMatchObject({ left: 9, address: client.address });
  const text = JSON.stringify(seen.map(({ detail }) => detail));
  for (const hidden of [secret, ...recoveryCodes, ...codes]) expect(text).not.toContain(hidden);
});
