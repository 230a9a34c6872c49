import { describe, expect, it } from 'vitest';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import { beginPasskeyConfirmation, confirmWithPasskey } from '@/lib/identity/auth/confirm-identity';
import {
  beginPasskeySignIn,
  beginPasskeyStep,
  finishWithPasskey,
} from '@/lib/identity/auth/second-step';
import { beginPasskey, finishPasskey, getFactors } from '@/lib/identity/factors/manage-factors';
import { env } from '@/lib/platform/env';
import { useTestDatabase } from '@/tests/support/database';
import { SoftAuthenticator } from '@/tests/support/soft-authenticator';
import { halfSignedIn, newStepClient, signedInUser, withApp } from './factors';
import { signedUp } from './people';

useTestDatabase();
/** Where browsers take passkeys of this installation: they have none for IP addresses. */
const url = () => new URL(env().publicUrl.replace('127.0.0.1', 'localhost'));
const here = () => url().origin;

function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

/** Someone with a passkey, and the sign-in in which it was made. */
async function withPasskey() {
  const person = await signedUp();
  const user = await signedInUser(person.userId);
  const authenticator = new SoftAuthenticator(url().hostname);
  const { challenge } = await beginPasskey(user);
  const answer = authenticator.create({ origin: here(), challenge });
  const { recoveryCodes } = await finishPasskey(user, { answer, name: 'Key' }, newStepClient());
  return { ...person, user, authenticator, recoveryCodes };
}

/** A second step with its open challenge. */
async function asked(userId: string) {
  const token = await halfSignedIn(userId);
  return { token, challenge: (await beginPasskeyStep(token)).challenge };
}

describe('[SEC-1.4] a passkey', () => {
  it('is added with recovery codes, and signs in as the second step', async () => {
    const { userId, authenticator, recoveryCodes } = await withPasskey();
    expect(recoveryCodes).toHaveLength(10);
    const { token, challenge } = await asked(userId);
    const answer = authenticator.get({ origin: here(), challenge, counter: 1 });
    const { authSessionId } = await finishWithPasskey(token, answer, newStepClient());
    expect(await readAuthSession(authSessionId)).toMatchObject({
      id: userId,
      secondFactorAt: expect.any(Date),
    });
  });

  it('signs in alone, when the authenticator has verified its user', async () => {
    const { userId, authenticator } = await withPasskey();
    const { token, options } = await beginPasskeySignIn(newStepClient());
    expect(options).toMatchObject({ userVerification: 'required', allowCredentials: [] });
    const answer = authenticator.get({ origin: here(), challenge: options.challenge });
    expect(await finishWithPasskey(token, answer, newStepClient())).toMatchObject({ userId });
    const second = await beginPasskeySignIn(newStepClient());
    const { challenge } = second.options;
    const unverified = authenticator.get({ origin: here(), challenge, isUserVerified: false });
    const tried = finishWithPasskey(second.token, unverified, newStepClient());
    expect(await caught(tried)).toMatchObject({ code: 'invalid' });
  });

  it('is not added for an answer to another challenge, from another site, or twice', async () => {
    const { userId } = await signedUp();
    const user = await signedInUser(userId);
    const authenticator = new SoftAuthenticator(url().hostname);
    const other = new SoftAuthenticator('evil.example');
    const wrong = [
      () => authenticator.create({ origin: here(), challenge: 'AAAA' }),
      (challenge: string) => authenticator.create({ origin: 'https://evil.example', challenge }),
      (challenge: string) => other.create({ origin: here(), challenge }),
    ];
    for (const make of wrong) {
      const { challenge } = await beginPasskey(user);
      const tried = finishPasskey(user, { answer: make(challenge), name: 'x' }, newStepClient());
      expect(await caught(tried)).toMatchObject({ code: 'invalid' });
    }
    const { challenge } = await beginPasskey(user);
    const answer = authenticator.create({ origin: here(), challenge });
    await finishPasskey(user, { answer, name: 'Key' }, newStepClient());
    const again = finishPasskey(user, { answer, name: 'Again' }, newStepClient());
    expect(await caught(again)).toMatchObject({ code: 'invalid' });
    expect((await getFactors(userId)).passkeys).toHaveLength(1);
  });
});

describe('[SEC-1.4] an attacker with the password is refused with the answer of a passkey', () => {
  it('to another challenge, from another site, or for another site', async () => {
    const { userId, authenticator } = await withPasskey();
    const foreign = new SoftAuthenticator('evil.example');
    const wrong = [
      () => authenticator.get({ origin: here(), challenge: 'AAAA', counter: 5 }),
      (challenge: string) =>
        authenticator.get({ origin: 'https://evil.example', challenge, counter: 5 }),
      (challenge: string) => ({
        ...foreign.get({ origin: here(), challenge, counter: 5 }),
        id: authenticator.id.toString('base64url'),
        rawId: authenticator.id.toString('base64url'),
      }),
    ];
    for (const make of wrong) {
      const { token, challenge } = await asked(userId);
      const tried = finishWithPasskey(token, make(challenge), newStepClient());
      expect(await caught(tried)).toMatchObject({ code: 'invalid' });
    }
  });

  it('of another person', async () => {
    const [alice, mallory] = [await withPasskey(), await withPasskey()];
    const { token, challenge } = await asked(alice.userId);
    const answer = mallory.authenticator.get({ origin: here(), challenge });
    const tried = finishWithPasskey(token, answer, newStepClient());
    expect(await caught(tried)).toMatchObject({ code: 'invalid' });
    const asAlice = await signedInUserOf(alice);
    const confirmation = await beginPasskeyConfirmation(asAlice);
    const wrong = mallory.authenticator.get({ origin: here(), challenge: confirmation.challenge });
    const confirmed = confirmWithPasskey(asAlice, wrong, newStepClient());
    expect(await caught(confirmed)).toMatchObject({ code: 'invalid' });
  });

  it('that was sent before: in the same step, in another one, and at the same moment', async () => {
    const { userId, authenticator } = await withPasskey();
    const first = await asked(userId);
    const answer = authenticator.get({ origin: here(), challenge: first.challenge, counter: 1 });
    const both = await Promise.all([
      caught(finishWithPasskey(first.token, answer, newStepClient())),
      caught(finishWithPasskey(first.token, answer, newStepClient())),
    ]);
    expect(both.filter((error) => error === null)).toHaveLength(1);
    const again = finishWithPasskey(first.token, answer, newStepClient());
    expect(await caught(again)).toMatchObject({ code: 'unauthenticated' });
    const second = await asked(userId);
    const other = finishWithPasskey(second.token, answer, newStepClient());
    expect(await caught(other)).toMatchObject({ code: 'invalid' });
  });

  it('whose counter goes back, as that of a copied authenticator', async () => {
    const { userId, authenticator } = await withPasskey();
    const first = await asked(userId);
    const told = { origin: here(), challenge: first.challenge };
    await finishWithPasskey(
      first.token,
      authenticator.get({ ...told, counter: 7 }),
      newStepClient(),
    );
    for (const counter of [7, 6, 0]) {
      const { token, challenge } = await asked(userId);
      const answer = authenticator.get({ origin: here(), challenge, counter });
      const tried = finishWithPasskey(token, answer, newStepClient());
      expect(await caught(tried)).toMatchObject({ code: 'invalid' });
    }
  });

  it('without having one: a person’s app is no passkey', async () => {
    const { userId } = await withApp();
    const token = await halfSignedIn(userId);
    expect(await caught(beginPasskeyStep(token))).toMatchObject({ code: 'unauthenticated' });
  });
});

describe('[SEC-1.4] a confirmation with a passkey', () => {
  it('counts once for one challenge', async () => {
    const alice = await withPasskey();
    const user = await signedInUserOf(alice);
    const { challenge } = await beginPasskeyConfirmation(user);
    const answer = alice.authenticator.get({ origin: here(), challenge, counter: 3 });
    const later = new Date(Date.now() + 60_000);
    await confirmWithPasskey(user, answer, newStepClient(), later);
    expect((await readAuthSession(user.authSessionId))?.provedAt).toEqual(later);
    const again = confirmWithPasskey(user, answer, newStepClient());
    expect(await caught(again)).toMatchObject({ code: 'invalid' });
  });
});

async function signedInUserOf({ user }: { user: { authSessionId: string } }) {
  const current = await readAuthSession(user.authSessionId);
  if (!current) throw new Error('The sign-in is not there.');
  return current;
}
