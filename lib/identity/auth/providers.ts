import GitHub from 'next-auth/providers/github';
import Google from 'next-auth/providers/google';
import type { OAuthConfig, UserinfoEndpointHandler } from 'next-auth/providers/oauth';
import { env } from '@/lib/platform/env';
import { withGitHubEmail } from './provider-profile';

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

/** The same providers as next-auth wants them. */
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
