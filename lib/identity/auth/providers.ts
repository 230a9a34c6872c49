import GitHub from 'next-auth/providers/github';
import Google from 'next-auth/providers/google';
import type { OAuthConfig, UserinfoEndpointHandler } from 'next-auth/providers/oauth';
import { z } from 'zod';
import { env } from '@/lib/platform/env';
import type { ProviderProfile } from './schema';

export interface ProviderButton {
  id: string;
  name: string;
}

/** Those that the environment names, in the order their buttons stand. */
export function configuredProviders(): ProviderButton[] {
  const { github, google, oidc } = env();
  return [
    ...(oidc ? [{ id: 'oidc', name: oidc.name }] : []),
    ...(github ? [{ id: 'github', name: 'GitHub' }] : []),
    ...(google ? [{ id: 'google', name: 'Google' }] : []),
  ];
}

/** Returns the providers in next-auth's format. */
export function outsideProviders() {
  const { github, google, oidc } = env();
  return [
    ...(oidc ? [oidcProvider(oidc)] : []),
    ...(github ? [GitHub({ ...github, userinfo: gitHubUserinfo })] : []),
    ...(google ? [Google(google)] : []),
  ];
}

interface Claims {
  sub: string;
  email?: string;
  name?: string;
}

function oidcProvider(oidc: NonNullable<ReturnType<typeof env>['oidc']>): OAuthConfig<Claims> {
  return {
    id: 'oidc',
    name: oidc.name,
    type: 'oauth',
    wellKnown: `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    authorization: { params: { scope: 'openid email profile' } },
    clientId: oidc.clientId,
    clientSecret: oidc.clientSecret,
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    userinfo: {
      // Some providers keep the e-mail address out of the id token.
      request: ({ client, tokens }) => client.userinfo(tokens.access_token ?? ''),
    },
    profile: ({ sub, email, name }) => ({ id: sub, email, name }),
  };
}

const gitHubUserinfo: UserinfoEndpointHandler = {
  url: 'https://api.github.com/user',
  request: async ({ client, tokens }) => {
    const token = tokens.access_token ?? '';
    const answer = await fetch('https://api.github.com/user/emails', {
      headers: { authorization: `Bearer ${token}`, 'user-agent': 'tierwatch' },
      signal: AbortSignal.timeout(10_000),
    });
    return withGitHubEmail(await client.userinfo(token), answer.ok ? await answer.json() : []);
  },
};

const claimsSchema = z.object({
  sub: z.string().optional(),
  email: z
    .string()
    .nullish()
    .transform((email) => (email ?? '').trim().toLowerCase()),
  // Some providers send the text "true".
  email_verified: z
    .union([z.boolean(), z.string()])
    .nullish()
    .transform((verified) => verified === true || verified === 'true'),
  name: z.string().nullish(),
  login: z.string().nullish(),
});

/** What a provider's answer says about the person, whichever provider it was. */
export function readProviderProfile(
  account: { provider: string; providerAccountId: string },
  answer: unknown,
): ProviderProfile {
  const claims = claimsSchema.parse(answer);
  return {
    provider: account.provider,
    providerAccountId: account.providerAccountId,
    email: claims.email,
    isEmailVerified: claims.email !== '' && claims.email_verified,
    name: (claims.name || claims.login || claims.email).slice(0, 100),
  };
}

const gitHubEmailsSchema = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);

/** GitHub's user carries no mark of verification; its list of addresses does. */
export function withGitHubEmail(user: Record<string, unknown>, emails: unknown) {
  const parsed = gitHubEmailsSchema.safeParse(emails);
  const primary = parsed.success ? parsed.data.find((entry) => entry.primary) : undefined;
  return { ...user, email: primary?.email ?? '', email_verified: primary?.verified ?? false };
}
