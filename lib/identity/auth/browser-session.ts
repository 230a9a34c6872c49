import { cookies, headers } from 'next/headers';
import { encode } from 'next-auth/jwt';
import { readClient } from '@/lib/platform/http/client-address';
import { AUTH_SESSION_SECONDS, signOutBrowser } from './auth-sessions';
import { currentUser } from './current-user';
import { findPasswordHash } from './data';
import { KNOWN_DEVICE_SECONDS, rememberDevice } from './known-devices';
import type { SignedInUser } from './schema';
import { authSecret, deviceCookieName, isSecure, sessionCookieName } from './session-cookie';
import { openToken } from './session-token';

/** Signs this browser in, with the same cookie that next-auth's own routes set. For actions. */
export async function startBrowserSession(userId: string): Promise<void> {
  const token = await openToken(userId, 'password');
  const value = await encode({ token, secret: authSecret(), maxAge: AUTH_SESSION_SECONDS });
  (await cookies()).set(sessionCookieName(), value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: '/',
    maxAge: AUTH_SESSION_SECONDS,
  });
}

/** Returns the cookie by which this browser is known for those who signed in with it. */
export async function readDeviceCookie(): Promise<string | undefined> {
  return (await cookies()).get(deviceCookieName())?.value;
}

/** Makes this browser a known device of someone who has just entered or set their password. */
export async function rememberBrowser(userId: string): Promise<void> {
  const account = { id: userId, passwordHash: await findPasswordHash(userId) };
  const value = rememberDevice(await readDeviceCookie(), account);
  (await cookies()).set(deviceCookieName(), value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: '/',
    maxAge: KNOWN_DEVICE_SECONDS,
  });
}

/** Ends this browser's sign-in: the row first, so that a kept copy of the cookie stops working. */
export async function endBrowserSession(): Promise<void> {
  const user = await currentUser();
  if (user) await signOutBrowser(user.authSessionId, readClient(await headers()));
  (await cookies()).delete({ name: sessionCookieName(), path: '/', secure: isSecure() });
}

declare module 'next-auth' {
  interface Session {
    user: SignedInUser;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    /** Id of the authSession row, which decides whether the token still counts. */
    sid?: string;
    user?: SignedInUser;
  }
}
