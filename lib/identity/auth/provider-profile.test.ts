import { describe, expect, it } from 'vitest';
import { readProviderProfile, withGitHubEmail } from './providers';

const account = { provider: 'oidc', providerAccountId: '42' };

describe('[SAS-1.1] an e-mail address counts as verified', () => {
  it.each([
    [{ email: 'Ana@Example.com', email_verified: true }, true],
    [{ email: 'ana@example.com', email_verified: 'true' }, true],
    [{ email: 'ana@example.com', email_verified: false }, false],
    [{ email: 'ana@example.com', email_verified: 'false' }, false],
    [{ email: 'ana@example.com', email_verified: null }, false],
    [{ email: 'ana@example.com' }, false],
    [{ email: '', email_verified: true }, false],
    [{ email: null, email_verified: true }, false],
  ])('only when the provider says so: %j', (answer, isVerified) => {
    expect(readProviderProfile(account, answer).isEmailVerified).toBe(isVerified);
  });
});

describe('readProviderProfile', () => {
  it('writes the address small and finds a name', () => {
    const answer = { email: ' Ana@Example.com ', login: 'ana', name: null };
    expect(readProviderProfile(account, answer)).toMatchObject({
      email: 'ana@example.com',
      name: 'ana',
    });
  });
});

describe('withGitHubEmail', () => {
  const user = { id: 7, login: 'ana', email: 'public@example.com' };

  it('takes the primary address with its mark', () => {
    const emails = [
      { email: 'old@example.com', primary: false, verified: true },
      { email: 'ana@example.com', primary: true, verified: false },
    ];
    expect(withGitHubEmail(user, emails)).toMatchObject({
      email: 'ana@example.com',
      email_verified: false,
    });
  });

  it.each([[[]], [{ message: 'Not Found' }], [null]])('takes none from %j', (emails) => {
    expect(withGitHubEmail(user, emails)).toMatchObject({ email: '', email_verified: false });
  });
});
