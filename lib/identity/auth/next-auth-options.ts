import { cookies, headers } from 'next/headers';
import type { NextAuthOptions, User } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { env } from '@/lib/platform/env';
import { AppError } from '@/lib/platform/errors';
import { readClient } from '@/lib/platform/http/client-address';
import { logger } from '@/lib/platform/logger';
import { AUTH_SESSION_SECONDS, type SigningIn, signOutBrowser } from './auth-sessions';
import { awaitSecondStep, readDeviceCookie, rememberBrowser } from './browser-session';
import type { UserRow } from './data';
import { outsideProviders, readProviderProfile } from './providers';
import { safeNext } from './safe-next';
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
        if (!account || account.type === 'credentials') return continueSignIn(user, 'password');
        const result = await readable(async () =>
          signInWithProvider(readProviderProfile(account, profile), readClient(await headers())),
        );
        if (!result.ok) return `/sign-in?error=${result.reason}`;
        // Until here it is the provider's id; the jwt callback gets the same object.
        Object.assign(user, personOf(result.user));
        return continueSignIn(user, account.provider);
      },
      jwt: ({ token, user, account, trigger }) => {
        if (trigger !== 'signIn') return readToken(token);
        const isPassword = !account || account.type === 'credentials';
        return openToken(signingIn(user), isPassword ? 'password' : account.provider);
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

function personOf({ id, email, passwordVersion }: UserRow) {
  return { id, email, passwordVersion };
}

function signingIn({ id, email, passwordVersion }: User): SigningIn {
  if (!email || passwordVersion === undefined) throw new Error('The sign-in has no person.');
  return { id, email, passwordVersion };
}

/** True to sign in now; otherwise the page of the second step. */
async function continueSignIn(user: User, method: string): Promise<true | string> {
  const person = signingIn(user);
  if (await awaitSecondStep(person, method)) {
    const next = safeNext(pathOf((await cookies()).get(CALLBACK_COOKIE())?.value), '');
    return `/sign-in/second-step${next ? `?next=${encodeURIComponent(next)}` : ''}`;
  }
  if (method === 'password') await rememberBrowser(person.id);
  return true;
}

/** Where next-auth keeps the address to go to after signing in. */
const CALLBACK_COOKIE = () =>
  isSecure() ? '__Secure-next-auth.callback-url' : 'next-auth.callback-url';

function pathOf(url: string | undefined): string | null {
  const base = new URL(env().publicUrl);
  if (!url || !URL.canParse(url, base)) return null;
  const { origin, pathname, search, hash } = new URL(url, base);
  return origin === base.origin ? `${pathname}${search}${hash}` : null;
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
        return personOf(await signInWithPassword(parsed.data, { ...client, deviceCookie }));
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
