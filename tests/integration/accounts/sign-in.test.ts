import { describe, expect, it, vi } from 'vitest';
import { rememberDevice } from '@/lib/identity/auth/known-devices';
import { requestReset } from '@/lib/identity/auth/password-resets';
import { type SignInClient, signInWithPassword, WRONG_SIGN_IN } from '@/lib/identity/auth/sign-in';
import { UnauthenticatedError } from '@/lib/platform/errors';
import {
  RESETS_PER_ACCOUNT,
  SIGN_IN_ATTACK,
  SIGN_IN_PER_ACCOUNT,
  SIGN_IN_PER_DEVICE,
  SIGN_IN_PER_NETWORK,
  SIGN_IN_UNDER_ATTACK,
} from '@/lib/platform/rate-limits';
import { useTestDatabase } from '@/tests/support/database';
import { newPerson, selectAll, signedUp } from './people';

const database = useTestDatabase();
const WRONG = 'not the password';

let lastAddress = 0;
/** A network address that no other test uses. */
function newClient(): { address: string } {
  lastAddress += 1;
  return { address: `198.51.100.${lastAddress}` };
}

function caught(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('[SAS-1.1] signing in', () => {
  it('knows the person by e-mail and password', async () => {
    const alice = await signedUp();
    const { email, password } = alice;
    expect(await signInWithPassword({ email, password }, newClient())).toMatchObject({
      id: alice.userId,
      email,
    });
  });

  it('answers an unknown e-mail and a wrong password with the same words', async () => {
    const { email } = await signedUp();
    const unknown = newPerson().email;
    const errors = await Promise.all([
      caught(signInWithPassword({ email, password: WRONG }, newClient())),
      caught(signInWithPassword({ email: unknown, password: WRONG }, newClient())),
    ]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(UnauthenticatedError);
      expect(error).toMatchObject({ message: WRONG_SIGN_IN, details: {} });
    }
  });

  it('lets nobody in by password whose account has none', async () => {
    const { email, userId } = await signedUp();
    await selectAll(database, 'update user_account set password_hash = null where id = $1', [
      userId,
    ]);
    const error = await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    expect(error).toBeInstanceOf(UnauthenticatedError);
  });
});

describe('[SEC-1.1] the right password is never refused because of wrong tries', () => {
  it('from other networks, however many there are', async () => {
    const { email, password } = await signedUp();
    for (let count = 0; count < SIGN_IN_ATTACK.points + 10; count += 1) {
      await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    }
    expect(await signInWithPassword({ email, password }, newClient())).toMatchObject({ email });
  });

  it('from the same network, on a device that the person has used before', async () => {
    const alice = await signedUp();
    const { email, password } = alice;
    const client = newClient();
    const user = await signInWithPassword({ email, password }, client);
    const deviceCookie = rememberDevice(undefined, user);
    await wrongTries(SIGN_IN_PER_ACCOUNT.points + 5, email, client);
    await wrongTries(SIGN_IN_PER_NETWORK.points, null, client);
    const unknown = await caught(signInWithPassword({ email, password }, client));
    expect(unknown).toMatchObject({ code: 'limit_exceeded' });
    const known = { ...client, deviceCookie };
    expect(await signInWithPassword({ email, password }, known)).toMatchObject({ email });
  });

  it('and a mail with a link is there, however often others have requested one', async () => {
    const { email, userId } = await signedUp();
    for (let count = 0; count < RESETS_PER_ACCOUNT.points + 2; count += 1) {
      await requestReset(email, newClient());
    }
    await requestReset(email, newClient());
    const rows = await selectAll(
      database,
      'select 1 from password_reset where user_id = $1 and used_at is null and expires_at > now()',
      [userId],
    );
    expect(rows).toHaveLength(RESETS_PER_ACCOUNT.points);
  });
});

describe('[SEC-1.1] guessing is stopped', () => {
  it('on an account, from one network', async () => {
    const { email, password } = await signedUp();
    const client = newClient();
    await wrongTries(SIGN_IN_PER_ACCOUNT.points, email, client);
    const error = await caught(signInWithPassword({ email, password }, client));
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      message: 'Too many tries. Wait 15 min.',
    });
  });

  it('for an e-mail address without an account as well', async () => {
    const { email } = newPerson();
    const client = newClient();
    await wrongTries(SIGN_IN_PER_ACCOUNT.points, email, client);
    const error = await caught(signInWithPassword({ email, password: WRONG }, client));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('from many networks: each has few tries once an account is under attack', async () => {
    const { email } = await signedUp();
    for (let count = 0; count < SIGN_IN_ATTACK.points; count += 1) {
      await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    }
    const client = newClient();
    await wrongTries(SIGN_IN_UNDER_ATTACK.points, email, client);
    const error = await caught(signInWithPassword({ email, password: WRONG }, client));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('over many accounts, from one network', async () => {
    const client = newClient();
    await wrongTries(SIGN_IN_PER_NETWORK.points, null, client);
    const { email, password } = await signedUp();
    const error = await caught(signInWithPassword({ email, password }, client));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('over the addresses of one IPv6 subscriber', async () => {
    const { email } = newPerson();
    for (let count = 0; count < SIGN_IN_PER_ACCOUNT.points; count += 1) {
      const address = `2001:db8:77:${(count * 7).toString(16)}::${count + 1}`;
      await caught(signInWithPassword({ email, password: WRONG }, { address }));
    }
    const client = { address: '2001:db8:77:ff::1' };
    const error = await caught(signInWithPassword({ email, password: WRONG }, client));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('from a known device', async () => {
    const { email, password } = await signedUp();
    const user = await signInWithPassword({ email, password }, newClient());
    const deviceCookie = rememberDevice(undefined, user);
    for (let count = 0; count < SIGN_IN_PER_DEVICE.points; count += 1) {
      await wrongTries(1, email, { ...newClient(), deviceCookie });
    }
    const error = await caught(
      signInWithPassword({ email, password }, { ...newClient(), deviceCookie }),
    );
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('of another account with one’s own device', async () => {
    const mallory = await signedUp();
    const { email } = await signedUp();
    const user = await signInWithPassword(mallory, newClient());
    const client = { ...newClient(), deviceCookie: rememberDevice(undefined, user) };
    await wrongTries(SIGN_IN_PER_ACCOUNT.points, email, client);
    const error = await caught(signInWithPassword({ email, password: WRONG }, client));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('with many tries at the same moment', async () => {
    const { email } = newPerson();
    const client = newClient();
    const answers = await Promise.all(
      Array.from({ length: SIGN_IN_PER_ACCOUNT.points + 5 }, () =>
        caught(signInWithPassword({ email, password: WRONG }, client)),
      ),
    );
    const refused = answers.filter((error) => !(error instanceof UnauthenticatedError));
    expect(refused).toHaveLength(5);
  });

  it('across web processes', async () => {
    const { email } = newPerson();
    const client = newClient();
    await wrongTries(SIGN_IN_PER_ACCOUNT.points, email, client);
    // Modules loaded again hold nothing of the counts above, as another process would not.
    vi.resetModules();
    const other = await import('@/lib/identity/auth/sign-in');
    const error = await caught(other.signInWithPassword({ email, password: WRONG }, client));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('and the count is deleted once the person is in', async () => {
    const { email, password } = await signedUp();
    const client = newClient();
    for (let round = 0; round < 3; round += 1) {
      await wrongTries(SIGN_IN_PER_ACCOUNT.points - 1, email, client);
      expect(await signInWithPassword({ email, password }, client)).toMatchObject({ email });
    }
  });

  it('without an e-mail address in the table of counts', async () => {
    const { email } = newPerson();
    await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    const rows = await selectAll<{ key: string }>(database, 'select key from rate_limit');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row.key).join()).not.toContain(email);
  });
});

/** Wrong passwords for an e-mail address, or each for a new one. */
async function wrongTries(count: number, email: string | null, client: SignInClient) {
  const tries = Array.from({ length: count }, () =>
    caught(signInWithPassword({ email: email ?? newPerson().email, password: WRONG }, client)),
  );
  await Promise.all(tries);
}
