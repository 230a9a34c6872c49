import { cookies, headers } from 'next/headers';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import type { TenantScope } from '@/lib/platform/db/scope';
import { NotFoundError, SecondFactorRequiredError } from '@/lib/platform/errors';
import { PATH_HEADER } from '@/lib/platform/http/request-headers';
import { scopeOfMember } from '../tenancy/make-scope';
import { readAuthSession } from './auth-sessions';
import { safeNext } from './safe-next';
import type { SignedInUser } from './schema';
import { readSessionCookie, sessionCookieName } from './session-cookie';

/**
 * Whoever is signed in, or null. One look-up per request.
 *
 * Throws when the database can't be reached. `getServerSession` would answer that nobody is signed
 * in, and send everyone with an open page to the sign-in page.
 */
export const currentUser = cache(async (): Promise<SignedInUser | null> => {
  const value = (await cookies()).get(sessionCookieName())?.value;
  const token = value ? await readSessionCookie(value) : null;
  return token?.sid ? readAuthSession(token.sid) : null;
});

/** Redirects to the sign-in page, and from there back here, when nobody is signed in. */
export async function requireUser(): Promise<SignedInUser> {
  const user = await currentUser();
  if (user) return user;
  const next = safeNext((await headers()).get(PATH_HEADER));
  redirect(next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`);
}

/**
 * Returns the signed-in person and their scope in this organization, for pages and layouts.
 * Redirects to the sign-in page when nobody is signed in, to the page of second factors when the
 * organization requires one, and shows the 404 page when they aren't a member. One lookup per request and organization.
 */
export const requireMember = cache(
  async (organizationSlug: string): Promise<{ user: SignedInUser; scope: TenantScope }> => {
    const user = await requireUser();
    try {
      return { user, scope: await scopeOfMember(user, organizationSlug) };
    } catch (error) {
      if (error instanceof NotFoundError) notFound();
      if (error instanceof SecondFactorRequiredError) {
        redirect(`/me/second-factor?organization=${encodeURIComponent(organizationSlug)}`);
      }
      throw error;
    }
  },
);
