import { headers } from 'next/headers';
import type { NextAuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { env } from '@/lib/platform/env';
import { AppError } from '@/lib/platform/errors';
import { readClient } from '@/lib/platform/http/client-address';
import { logger } from '@/lib/platform/logger';
import { AUTH_SESSION_SECONDS, signOutBrowser } from './auth-sessions';
import { readDeviceCookie, rememberBrowser } from './browser-session';
import { outsideProviders, readProviderProfile } from './providers';
import { signInSchema } from './schema';
import { authSecret, isSecure } from './session-cookie';
import { openToken, readToken, SignedOutError } from './session-token';
import { signInWithPassword, signInWithProvider } from './sign-in';

let cached: NextAuthOptions | undefined;

/** Made at first use: `next build` has no environment. */
export function nextAuthOptions(): NextAuthOptions {
  // next-auth reads its own address from there and from nowhere else.
  process.env.NEXTAUTH_URL ??= env().publicUrl;
  cached ??= makeOptions();
  return cached;
}

function makeOptions(): NextAuthOptions {
  return {
    secret: authSecret(),
    useSecureCookies: isSecure(),
    session: { strategy: 'jwt', maxAge: AUTH_SESSION_SECONDS },
    pages: { signIn: '/sign-in', signOut: '/sign-in', error: '/sign-in' },
    providers: [passwordProvider(), ...outsideProviders()],
    callbacks: {
      signIn: async ({ user, account, profile }) => {
        if (!account || account.type === 'credentials') return true;
        const result = await readable(async () =>
          signInWithProvider(readProviderProfile(account, profile), readClient(await headers())),
        );
        if (!result.ok) return `/sign-in?error=${result.reason}`;
        // Until here it is the provider's id; the jwt callback gets the same object.
        user.id = result.user.id;
        return true;
      },
      jwt: ({ token, user, account, trigger }) => {
        if (trigger !== 'signIn') return readToken(token);
        const isPassword = !account || account.type === 'credentials';
        return openToken(user.id, isPassword ? 'password' : account.provider);
      },
      session: ({ session, token }) => (token.user ? { ...session, user: token.user } : session),
    },
    events: {
      signOut: async ({ token }) => {
        if (token?.sid) await signOutBrowser(token.sid, readClient(await headers()));
      },
    },
    logger: {
      error: (code, metadata) => {
        const cause = 'error' in metadata ? metadata.error : metadata;
        // An ended sign-in is no failure of ours.
        if (cause instanceof SignedOutError) return;
        logger.error({ code, error: String(cause) }, 'next-auth failed');
      },
      warn: (code) => logger.warn({ code }, 'next-auth warning'),
    },
  };
}

function passwordProvider() {
  return Credentials({
    name: 'Password',
    credentials: { email: { type: 'email' }, password: { type: 'password' } },
    authorize: async (credentials, request) => {
      const parsed = signInSchema.safeParse(credentials);
      if (!parsed.success) return null;
      const client = readClient(new Headers(request.headers));
      return readable(async () => {
        const deviceCookie = await readDeviceCookie();
        const user = await signInWithPassword(parsed.data, { ...client, deviceCookie });
        await rememberBrowser(user.id);
        return user;
      });
    },
  });
}

/** next-auth puts the message of whatever is thrown into the URL. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    logger.error({ error }, 'sign-in failed');
    throw new Error('unknown');
  }
}
