import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getServerSession } from 'next-auth';
import { cache } from 'react';
import { nextAuthOptions } from './next-auth-options';
import { PATH_HEADER } from './path-header';
import { safeNext } from './safe-next';
import type { SignedInUser } from './schema';

/** Whoever is signed in, or null. One look-up a request. */
export const currentUser = cache(async (): Promise<SignedInUser | null> => {
  const session = await getServerSession(nextAuthOptions());
  return session?.user?.authSessionId ? session.user : null;
});

/** Leads to the sign-in page, and from there back here, when nobody is signed in. */
export async function requireUser(): Promise<SignedInUser> {
  const user = await currentUser();
  if (user) return user;
  const next = safeNext((await headers()).get(PATH_HEADER));
  redirect(next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`);
}
