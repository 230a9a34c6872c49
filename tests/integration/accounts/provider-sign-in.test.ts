import { afterEach, describe, expect, it, vi } from 'vitest';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import type { ProviderProfile } from '@/lib/identity/auth/schema';
import { signInWithPassword, signInWithProvider } from '@/lib/identity/auth/sign-in';
import { listMine } from '@/lib/identity/organizations/service';
import { useTestDatabase } from '@/tests/support/database';
import { newPerson, openedSignIn, signedUp } from './people';

useTestDatabase();

const client = { address: '203.0.113.7' };
let lastAccount = 0;
function profileOf(email: string, known: Partial<ProviderProfile> = {}): ProviderProfile {
  lastAccount += 1;
  return {
    provider: 'oidc',
    providerAccountId: `account-${lastAccount}`,
    email,
    isEmailVerified: true,
    name: 'Alice',
    ...known,
  };
}

describe('[SAS-1.1] signing in by a provider', () => {
  afterEach(() => vi.restoreAllMocks());

  it('makes an account the first time and knows it the second, whatever the address then', async () => {
    const profile = profileOf(newPerson().email);
    const first = await signInWithProvider(profile, client);
    if (!first.ok) throw new Error(first.reason);
    expect(await listMine(first.user.id)).toEqual([]);
    const second = await signInWithProvider(
      {
        ...profile,
        email: newPerson().email,
        isEmailVerified: false,
      },
      client,
    );
    expect(second).toMatchObject({ ok: true, user: { id: first.user.id } });
  });

  it('links an account by its verified e-mail address', async () => {
    const alice = await signedUp();
    const result = await signInWithProvider(profileOf(alice.email), client);
    expect(result).toMatchObject({ ok: true, user: { id: alice.userId } });
  });

  it('never links by an address that the provider has not verified', async () => {
    const alice = await signedUp();
    const result = await signInWithProvider(
      profileOf(alice.email, { isEmailVerified: false }),
      client,
    );
    expect(result).toEqual({ ok: false, reason: 'email_not_verified' });
  });

  it('ends the password and the sign-ins of whoever held the address unverified', async () => {
    const { email, password, userId } = await signedUp();
    const authSessionId = await openedSignIn(userId, '');
    await signInWithProvider(profileOf(email), client);
    expect(await readAuthSession(authSessionId)).toBeNull();
    await expect(
      signInWithPassword({ email, password }, { address: '203.0.113.7' }),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
  });

  it('tells accounts of different providers apart', async () => {
    const profile = profileOf(newPerson().email);
    await signInWithProvider(profile, client);
    const other = { ...profile, provider: 'github', isEmailVerified: false };
    expect(await signInWithProvider(other, client)).toMatchObject({ ok: false });
  });

  it('makes no account while sign-up is closed', async () => {
    const policy = await import('@/lib/identity/auth/sign-up');
    vi.spyOn(policy, 'isSignUpOpen').mockReturnValue(false);
    const result = await signInWithProvider(profileOf(newPerson().email), client);
    expect(result).toEqual({ ok: false, reason: 'sign_up_closed' });
  });
});
