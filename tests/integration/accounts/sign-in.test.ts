import { describe, expect, it, vi } from 'vitest';
import { signInWithPassword, WRONG_SIGN_IN } from '@/lib/identity/auth/sign-in';
import { UnauthenticatedError } from '@/lib/platform/errors';
import { SIGN_IN_PER_ACCOUNT, SIGN_IN_PER_ADDRESS } from '@/lib/platform/rate-limits';
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

describe('[SAS-1.1] too many tries', () => {
  it('for an account are refused from any address, also with the right password', async () => {
    const { email, password } = await signedUp();
    for (let count = 0; count < SIGN_IN_PER_ACCOUNT.points; count += 1) {
      await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    }
    const error = await caught(signInWithPassword({ email, password }, newClient()));
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      message: 'Too many tries. Wait 15 min.',
    });
  });

  it('are refused for an e-mail address without an account as well', async () => {
    const { email } = newPerson();
    for (let count = 0; count < SIGN_IN_PER_ACCOUNT.points; count += 1) {
      await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    }
    const error = await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('from one address are refused for any account', async () => {
    const client = newClient();
    const tries = Array.from({ length: SIGN_IN_PER_ADDRESS.points }, () =>
      caught(signInWithPassword({ email: newPerson().email, password: WRONG }, client)),
    );
    await Promise.all(tries);
    const { email, password } = await signedUp();
    const error = await caught(signInWithPassword({ email, password }, client));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('sent at the same moment do not slip through', async () => {
    const { email } = newPerson();
    const answers = await Promise.all(
      Array.from({ length: SIGN_IN_PER_ACCOUNT.points + 5 }, () =>
        caught(signInWithPassword({ email, password: WRONG }, newClient())),
      ),
    );
    const refused = answers.filter((error) => !(error instanceof UnauthenticatedError));
    expect(refused).toHaveLength(5);
  });

  it('are counted across web processes', async () => {
    const { email } = newPerson();
    for (let count = 0; count < SIGN_IN_PER_ACCOUNT.points; count += 1) {
      await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    }
    // Modules loaded again hold nothing of the counts above, as another process would not.
    vi.resetModules();
    const other = await import('@/lib/identity/auth/sign-in');
    const error = await caught(other.signInWithPassword({ email, password: WRONG }, newClient()));
    expect(error).toMatchObject({ code: 'limit_exceeded' });
  });

  it('are forgotten once the person is in', async () => {
    const { email, password } = await signedUp();
    for (let round = 0; round < 3; round += 1) {
      for (let count = 1; count < SIGN_IN_PER_ACCOUNT.points; count += 1) {
        await caught(signInWithPassword({ email, password: WRONG }, newClient()));
      }
      expect(await signInWithPassword({ email, password }, newClient())).toMatchObject({ email });
    }
  });

  it('leave no e-mail address in the table of counts', async () => {
    const { email } = newPerson();
    await caught(signInWithPassword({ email, password: WRONG }, newClient()));
    const rows = await selectAll<{ key: string }>(database, 'select key from rate_limit');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map((row) => row.key).join()).not.toContain(email);
  });
});
