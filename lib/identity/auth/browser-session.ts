import { cookies, headers } from 'next/headers';
import { encode, type JWT } from 'next-auth/jwt';
import { readClient } from '@/lib/platform/http/client-address';
import { countFactors } from '../factors/data';
import type { PublicKeyCredentialRequestOptionsJSON } from '../factors/passkey-ceremony';
import { AUTH_SESSION_SECONDS, type SigningIn, signOutBrowser } from './auth-sessions';
import { currentUser } from './current-user';
import { findPassword } from './data';
import { KNOWN_DEVICE_SECONDS, rememberDevice } from './known-devices';
import type { SignedInUser } from './schema';
import {
  beginPasskeySignIn,
  beginSecondStep,
  SECOND_STEP_SECONDS,
  type SignedIn,
  type StepClient,
} from './second-step';
import {
  authSecret,
  deviceCookieName,
  isSecure,
  sessionCookieName,
  stepCookieName,
} from './session-cookie';
import { openToken } from './session-token';

/** The pages of the second step alone get its cookie. */
const STEP_PATH = '/sign-in';

/**
 * Signs this browser in, with the same cookie that next-auth's own routes set. For actions. Throws
 * UnauthenticatedError as `openSignIn`.
 */
export async function startBrowserSession(person: SigningIn): Promise<void> {
  await setSessionCookie(await openToken(person, 'password'));
  await rememberBrowser(person.id);
}

async function setSessionCookie(token: JWT): Promise<void> {
  const value = await encode({ token, secret: authSecret(), maxAge: AUTH_SESSION_SECONDS });
  (await cookies()).set(sessionCookieName(), value, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: '/',
    maxAge: AUTH_SESSION_SECONDS,
  });
}

/**
 * Makes this browser wait for the second step when the person has a second factor. Returns whether it
 * does; the browser isn't signed in until then.
 */
export async function awaitSecondStep(
  person: Omit<SigningIn, 'email'>,
  method: string,
): Promise<boolean> {
  if ((await countFactors(person.id)) === 0) return false;
  await setStepCookie(await beginSecondStep(person, method));
  return true;
}

/** Begins a sign-in with a passkey alone. Returns what the browser asks a passkey for. */
export async function startPasskeySignIn(): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { token, options } = await beginPasskeySignIn(readClient(await headers()));
  await setStepCookie(token);
  return options;
}

async function setStepCookie(token: string): Promise<void> {
  (await cookies()).set(stepCookieName(), token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(),
    path: STEP_PATH,
    maxAge: SECOND_STEP_SECONDS,
  });
}

/** Returns the token of the second step that this browser waits for. */
export async function readStepCookie(): Promise<string | undefined> {
  return (await cookies()).get(stepCookieName())?.value;
}

/** Returns what the second step knows of the browser that sends this request. */
export async function readStepClient(): Promise<StepClient> {
  const sent = await headers();
  const userAgent = sent.get('user-agent') ?? '';
  return { ...readClient(sent), userAgent, deviceCookie: await readDeviceCookie() };
}

/** Signs this browser in after its second step. */
export async function finishBrowserSignIn({ userId, authSessionId }: SignedIn): Promise<void> {
  await setSessionCookie({ sub: userId, sid: authSessionId });
  await rememberBrowser(userId);
  (await cookies()).delete({ name: stepCookieName(), path: STEP_PATH, secure: isSecure() });
}

/** Returns the cookie by which this browser is known for those who signed in with it. */
export async function readDeviceCookie(): Promise<string | undefined> {
  return (await cookies()).get(deviceCookieName())?.value;
}

/** Makes this browser a known device of someone who has just signed in or set their password. */
export async function rememberBrowser(userId: string): Promise<void> {
  const account = (await findPassword(userId)) ?? { id: userId, passwordHash: null };
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
  interface User {
    email?: string | null;
    /** Of the password at the time of the first step. */
    passwordVersion?: number;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    /** Id of the authSession row, which decides whether the token still counts. */
    sid?: string;
    user?: SignedInUser;
  }
}
