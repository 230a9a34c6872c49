import { Secret, TOTP } from 'otpauth';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { beginSecondStep, type StepClient } from '@/lib/identity/auth/second-step';
import { beginApp, confirmApp } from '@/lib/identity/factors/manage-factors';
import { openedSignIn, signedUp } from './people';

const STEP_MS = 30_000;

/** What an authenticator app shows at a time. */
export function codeOf(secret: string, now = new Date()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() });
}

/** A code that is never right: that of another secret would be, once in a million times. */
export function wrongCode(secret: string, now = new Date()): string {
  const near = [-2, -1, 0, 1, 2].map((steps) =>
    codeOf(secret, new Date(now.getTime() + steps * STEP_MS)),
  );
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find(
    (code) => !near.includes(code),
  ) as string;
}

let lastAddress = 0;
/** A browser at a network address that no other test uses. */
export function newStepClient(known: Partial<StepClient> = {}): StepClient {
  lastAddress += 1;
  const address = `203.0.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`;
  return { address, userAgent: 'Firefox', ...known };
}

export async function signedInUser(userId: string): Promise<SignedInUser> {
  const user = await readAuthSession(await openedSignIn(userId, 'Firefox'));
  if (!user) throw new Error('The sign-in is not there.');
  return user;
}

/** Someone with an authenticator app, set up a while ago so that its current code is unused. */
export async function withApp() {
  const person = await signedUp();
  return { ...person, ...(await addApp(person.userId)) };
}

export async function addApp(userId: string) {
  const user = await signedInUser(userId);
  const { secret } = await beginApp(user);
  const before = new Date(Date.now() - STEP_MS);
  const code = codeOf(secret, before);
  const { recoveryCodes } = await confirmApp(user, code, newStepClient());
  const proved = await readAuthSession(user.authSessionId);
  if (!recoveryCodes || !proved) throw new Error('The app was not added.');
  return { user: proved, secret, recoveryCodes };
}

/** The token of a browser that has sent the right password. */
export function halfSignedIn(userId: string, now = new Date()): Promise<string> {
  return beginSecondStep({ id: userId, passwordVersion: 0 }, 'password', now);
}
