import { decode, type JWT } from 'next-auth/jwt';
import { deriveKey } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

/**
 * Returns whether to use secure cookies: yes with HTTPS; browsers would drop them on plain
 * loopback.
 */
export function isSecure(): boolean {
  return env().publicUrl.startsWith('https:');
}

/** Returns next-auth's cookie name, so that its routes and ours read the same cookie. */
export function sessionCookieName(): string {
  return isSecure() ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}

/** Returns the name of the cookie that makes a browser a known device. */
export function deviceCookieName(): string {
  return isSecure() ? '__Secure-tierwatch.device' : 'tierwatch.device';
}

/** Returns the name of the cookie of a browser whose sign-in waits for its second step. */
export function stepCookieName(): string {
  return isSecure() ? '__Secure-tierwatch.step' : 'tierwatch.step';
}

/** Returns the key that next-auth encrypts and signs with. */
export function authSecret(): string {
  return deriveKey(env().secretKey, 'next-auth').toString('base64url');
}

/** The token in the cookie that next-auth's routes and ours set; null if it has expired or isn't ours. */
export async function readSessionCookie(value: string): Promise<JWT | null> {
  try {
    return await decode({ token: value, secret: authSecret() });
  } catch {
    return null;
  }
}
