import { encode } from 'next-auth/jwt';
import { describe, expect, it } from 'vitest';
import { readAuthSession, signInBrowser } from '@/lib/identity/auth/auth-sessions';
import { changePassword } from '@/lib/identity/auth/change-account';
import { rememberDevice } from '@/lib/identity/auth/known-devices';
import {
  finishWithCode,
  readSecondStep,
  SECOND_STEP_SECONDS,
} from '@/lib/identity/auth/second-step';
import { authSecret, readSessionCookie } from '@/lib/identity/auth/session-cookie';
import { signInWithPassword } from '@/lib/identity/auth/sign-in';
import { openTotpSecret } from '@/lib/identity/factors/check-code';
import {
  beginApp,
  confirmApp,
  removeApp,
  renewRecoveryCodes,
  resetFactors,
} from '@/lib/identity/factors/manage-factors';
import { SecretBoxError } from '@/lib/platform/crypto/secret-box';
import { CODES_PER_DEVICE, CODES_PER_NETWORK, CODES_PER_PERSON } from '@/lib/platform/rate-limits';
import { useTestDatabase } from '@/tests/support/database';
import {
  addApp,
  codeOf,
  halfSignedIn,
  newStepClient,
  signedInUser,
  withApp,
  wrongCode,
} from './factors';
import { openedSignIn, selectAll, signedUp } from './people';

const database = useTestDatabase();
const MINUTE_MS = 60_000;

function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('[SEC-1.4] an authenticator app', () => {
  it('counts once a code of it was entered, and its sign-in has a second factor then', async () => {
    const { userId } = await signedUp();
    const user = await signedInUser(userId);
    const { secret } = await beginApp(user);
    const error = await caught(confirmApp(user, wrongCode(secret), newStepClient()));
    expect(error).toMatchObject({ code: 'invalid', fields: { code: expect.any(String) } });
    expect((await readAuthSession(user.authSessionId))?.secondFactorAt).toBeNull();
    const { recoveryCodes } = await confirmApp(user, codeOf(secret), newStepClient());
    expect(recoveryCodes).toHaveLength(10);
    expect((await readAuthSession(user.authSessionId))?.secondFactorAt).not.toBeNull();
  });

  it('ends the sign-ins that were made without it', async () => {
    const { userId } = await signedUp();
    const other = await openedSignIn(userId, 'Chrome');
    const { user } = await addApp(userId);
    expect(await readAuthSession(other)).toBeNull();
    expect(await readAuthSession(user.authSessionId)).not.toBeNull();
  });

  it('is not set up by someone at a browser that was left open', async () => {
    const { userId } = await signedUp();
    const user = await signedInUser(userId);
    const later = new Date(Date.now() + 11 * MINUTE_MS);
    expect(await caught(beginApp(user, later))).toMatchObject({ code: 'proof_required' });
    const added = await addApp(userId);
    const acts: (() => Promise<unknown>)[] = [
      async () => removeApp(added.user, newStepClient(), later),
      async () => renewRecoveryCodes(added.user, newStepClient(), later),
    ];
    for (const act of acts) {
      expect(await caught(act())).toMatchObject({ code: 'proof_required' });
    }
  });

  it('has a secret that is encrypted, and that opens for its person alone', async () => {
    const { userId, secret } = await withApp();
    const [row] = await selectAll<{ secret_sealed: string }>(
      database,
      'select secret_sealed from totp_factor where user_id = $1',
      [userId],
    );
    const sealed = row?.secret_sealed ?? '';
    expect(sealed).not.toContain(secret);
    expect(openTotpSecret(sealed, userId)).toBe(secret);
    const other = await signedUp();
    expect(() => openTotpSecret(sealed, other.userId)).toThrow(SecretBoxError);
  });

  it('is removed by an operator with everything else, and the person signed out', async () => {
    const { userId, email, user } = await withApp();
    const token = await halfSignedIn(userId);
    expect(await resetFactors({ id: userId, email })).toBe(true);
    expect(await readAuthSession(user.authSessionId)).toBeNull();
    expect(await readSecondStep(token)).toBeNull();
    expect(await openedSignIn(userId)).toEqual(expect.any(String));
    expect(await resetFactors({ id: userId, email })).toBe(false);
  });
});

describe('[SEC-1.4] the second step', () => {
  it('signs in with a code, in a sign-in that has a second factor', async () => {
    const { userId, secret } = await withApp();
    const token = await halfSignedIn(userId);
    const signedIn = await finishWithCode(token, codeOf(secret), newStepClient());
    expect(await readAuthSession(signedIn.authSessionId)).toMatchObject({
      id: userId,
      secondFactorAt: expect.any(Date),
    });
  });

  it('signs in with a recovery code, once', async () => {
    const { userId, recoveryCodes } = await withApp();
    const [code = ''] = recoveryCodes;
    await finishWithCode(await halfSignedIn(userId), code.toUpperCase(), newStepClient());
    const again = finishWithCode(await halfSignedIn(userId), code, newStepClient());
    expect(await caught(again)).toMatchObject({ code: 'invalid' });
  });

  it('takes a recovery code once from two browsers at the same moment', async () => {
    const { userId, recoveryCodes } = await withApp();
    const [code = ''] = recoveryCodes;
    const tokens = [await halfSignedIn(userId), await halfSignedIn(userId)];
    const answers = await Promise.all(
      tokens.map((token) => caught(finishWithCode(token, code, newStepClient()))),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
  });

  it('can’t be left out: no other way opens a sign-in for someone with a factor', async () => {
    const { userId, email } = await withApp();
    expect(await caught(openedSignIn(userId))).toMatchObject({ code: 'unauthenticated' });
    const facts = { method: 'oidc', userAgent: '', address: '192.0.2.8' };
    expect(
      await caught(signInBrowser({ id: userId, email, passwordVersion: 0 }, facts)),
    ).toMatchObject({ code: 'unauthenticated' });
  });

  it('has a token that is no sign-in: neither as it is nor inside a session cookie', async () => {
    const { userId } = await withApp();
    const token = await halfSignedIn(userId);
    expect(await readAuthSession(token)).toBeNull();
    expect(await readSessionCookie(token)).toBeNull();
    const forged = await encode({ token: { sub: userId, sid: token }, secret: authSecret() });
    const read = await readSessionCookie(forged);
    expect(await readAuthSession(read?.sid ?? '')).toBeNull();
  });
});

describe('[SEC-1.4] an attacker who knows the password', () => {
  it('can’t repeat a code that was seen', async () => {
    const { userId, secret } = await withApp();
    const code = codeOf(secret);
    await finishWithCode(await halfSignedIn(userId), code, newStepClient());
    const again = finishWithCode(await halfSignedIn(userId), code, newStepClient());
    expect(await caught(again)).toMatchObject({ code: 'invalid' });
  });

  it('can’t use one code in two browsers at the same moment', async () => {
    const { userId, secret } = await withApp();
    const code = codeOf(secret);
    const tokens = [await halfSignedIn(userId), await halfSignedIn(userId)];
    const answers = await Promise.all(
      tokens.map((token) => caught(finishWithCode(token, code, newStepClient()))),
    );
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
  });

  it('can’t use the code or recovery code of another person', async () => {
    const [alice, mallory] = [await withApp(), await withApp()];
    for (const code of [codeOf(mallory.secret), mallory.recoveryCodes[0] ?? '']) {
      const tried = finishWithCode(await halfSignedIn(alice.userId), code, newStepClient());
      expect(await caught(tried)).toMatchObject({ code: 'invalid' });
    }
    // Hers are as good as before.
    await finishWithCode(
      await halfSignedIn(mallory.userId),
      mallory.recoveryCodes[0] ?? '',
      newStepClient(),
    );
  });

  it('can’t do the second step twice, nor after five minutes', async () => {
    const { userId, secret, recoveryCodes } = await withApp();
    const token = await halfSignedIn(userId);
    await finishWithCode(token, codeOf(secret), newStepClient());
    const again = finishWithCode(token, recoveryCodes[0] ?? '', newStepClient());
    expect(await caught(again)).toMatchObject({ code: 'unauthenticated' });
    const old = await halfSignedIn(userId);
    const later = new Date(Date.now() + SECOND_STEP_SECONDS * 1000);
    const late = finishWithCode(old, recoveryCodes[0] ?? '', newStepClient(), later);
    expect(await caught(late)).toMatchObject({ code: 'unauthenticated' });
    expect(await caught(finishWithCode(undefined, '123456', newStepClient()))).toMatchObject({
      code: 'unauthenticated',
    });
  });

  it('has five wrong codes before the password is asked for again', async () => {
    const { userId, secret } = await withApp();
    const token = await halfSignedIn(userId);
    for (let count = 0; count < 5; count += 1) {
      const tried = finishWithCode(token, wrongCode(secret), newStepClient());
      expect(await caught(tried)).toMatchObject({ code: 'invalid' });
    }
    const right = finishWithCode(token, codeOf(secret), newStepClient());
    expect(await caught(right)).toMatchObject({ code: 'unauthenticated' });
  });

  it('is stopped from guessing: on one network, and on many, while a known device works', async () => {
    const { userId, secret, email, password } = await withApp();
    const account = await signInWithPassword({ email, password }, newStepClient());
    const deviceCookie = rememberDevice(undefined, account);
    const one = newStepClient();
    await guess(userId, wrongCode(secret), CODES_PER_NETWORK.points, () => one);
    const sameNetwork = finishWithCode(await halfSignedIn(userId), codeOf(secret), one);
    expect(await caught(sameNetwork)).toMatchObject({ code: 'limit_exceeded' });
    const others = CODES_PER_PERSON.points - CODES_PER_NETWORK.points;
    await guess(userId, wrongCode(secret), others, newStepClient);
    const anyNetwork = finishWithCode(await halfSignedIn(userId), codeOf(secret), newStepClient());
    expect(await caught(anyNetwork)).toMatchObject({ code: 'limit_exceeded' });
    const known = newStepClient({ deviceCookie });
    await finishWithCode(await halfSignedIn(userId), codeOf(secret), known);
    await guess(userId, wrongCode(secret), CODES_PER_DEVICE.points, () => known);
    const device = finishWithCode(await halfSignedIn(userId), codeOf(secret), known);
    expect(await caught(device)).toMatchObject({ code: 'limit_exceeded' });
  });
});

async function guess(
  userId: string,
  code: string,
  times: number,
  clientOf: () => ReturnType<typeof newStepClient>,
): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const tried = finishWithCode(await halfSignedIn(userId), code, clientOf());
    expect(await caught(tried)).toMatchObject({ code: 'invalid' });
  }
}

describe('[SEC-1.4] a password that changes while someone signs in', () => {
  const NEW = 'an entirely new password';

  it('opens no sign-in for the one that was verified before', async () => {
    const { email, password, userId } = await signedUp();
    const verified = await signInWithPassword({ email, password }, newStepClient());
    const user = await signedInUser(userId);
    await changePassword(user, { currentPassword: password, newPassword: NEW }, newStepClient());
    const facts = { method: 'password', userAgent: '', address: '192.0.2.8' };
    expect(await caught(signInBrowser(verified, facts))).toMatchObject({ code: 'unauthenticated' });
    const again = await signInWithPassword({ email, password: NEW }, newStepClient());
    expect(await signInBrowser(again, facts)).toEqual(expect.any(String));
  });

  it('leaves no sign-in of the old one, whichever comes first', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { email, password, userId } = await signedUp();
      const verified = await signInWithPassword({ email, password }, newStepClient());
      const user = await signedInUser(userId);
      const facts = { method: 'password', userAgent: '', address: '192.0.2.8' };
      const input = { currentPassword: password, newPassword: NEW };
      const opened: string[] = [];
      let isOver = false;
      const change = changePassword(user, input, newStepClient()).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        const id = await signInBrowser(verified, facts).catch(() => null);
        if (id) opened.push(id);
      }
      await change;
      for (const id of opened) expect(await readAuthSession(id)).toBeNull();
      expect(await readAuthSession(user.authSessionId)).not.toBeNull();
    }
  });

  it('ends a second step that was begun with the old one', async () => {
    const { userId, secret, password, user } = await withApp();
    const token = await halfSignedIn(userId);
    await changePassword(user, { currentPassword: password, newPassword: NEW }, newStepClient());
    const late = finishWithCode(token, codeOf(secret), newStepClient());
    expect(await caught(late)).toMatchObject({ code: 'unauthenticated' });
    // Begun with the old password's version after the change, as by a slow first step.
    const slow = finishWithCode(await halfSignedIn(userId), codeOf(secret), newStepClient());
    expect(await caught(slow)).toMatchObject({ code: 'unauthenticated' });
  });
});
