import { headers } from 'next/headers';
import type { JWT } from 'next-auth/jwt';
import { openAuthSession, readAuthSession } from './auth-sessions';

/** The token is whole, but its authSession was revoked or has expired. */
export class SignedOutError extends Error {
  override name = 'SignedOutError';
}

/** Opens an authSession for the browser that sent this request and answers its token. */
export async function openToken(userId: string): Promise<JWT> {
  const userAgent = (await headers()).get('user-agent') ?? '';
  return { sub: userId, sid: await openAuthSession(userId, userAgent) };
}

/** Adds the person to a token whose authSession is alive; throws SignedOutError otherwise. */
export async function readToken(token: JWT): Promise<JWT> {
  const user = token.sid ? await readAuthSession(token.sid) : null;
  if (!user) throw new SignedOutError('This sign-in has ended.');
  return { sub: user.id, sid: user.authSessionId, user };
}
