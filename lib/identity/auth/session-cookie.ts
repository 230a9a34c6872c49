import { deriveKey } from '@/lib/platform/crypto/secret-box';
import { env } from '@/lib/platform/env';

/** Secure cookies where browsers reach us by https; on plain loopback they would be dropped. */
export function isSecure(): boolean {
  return env().publicUrl.startsWith('https:');
}

/** As next-auth names it, so that its routes and ours read the same cookie. */
export function sessionCookieName(): string {
  return isSecure() ? '__Secure-next-auth.session-token' : 'next-auth.session-token';
}

/** What next-auth encrypts and signs with. */
export function authSecret(): string {
  return deriveKey(env().secretKey, 'next-auth').toString('base64url');
}
