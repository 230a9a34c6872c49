import { headers } from 'next/headers';
import type { JWT } from 'next-auth/jwt';
import { readClient } from '@/lib/platform/http/client-address';
import { readAuthSession, type SigningIn, signInBrowser } from './auth-sessions';

/** The token is whole, but its authSession was revoked or has expired. */
export class SignedOutError extends Error {
  override name = 'SignedOutError';
}

/**
 * Opens an authSession for the browser that sent this request and answers its token. `method`:
 * `password`, or the provider. Throws UnauthenticatedError as `openSignIn`.
 */
export async function openToken(person: SigningIn, method: string): Promise<JWT> {
  const sent = await headers();
  const userAgent = sent.get('user-agent') ?? '';
  const sid = await signInBrowser(person, { method, userAgent, ...readClient(sent) });
  return { sub: person.id, sid };
}

/** Adds the person to a token whose authSession is alive; throws SignedOutError otherwise. */
export async function readToken(token: JWT): Promise<JWT> {
  const user = token.sid ? await readAuthSession(token.sid) : null;
  if (!user) throw new SignedOutError('This sign-in has ended.');
  return { sub: user.id, sid: user.authSessionId, user };
}
