import { notFound } from 'next/navigation';
import { cache } from 'react';
import type { TenantScope } from '@/lib/platform/db/scope';
import { NotFoundError } from '@/lib/platform/errors';
import { scopeOfMember } from '../tenancy/make-scope';
import { requireUser } from './current-user';
import type { SignedInUser } from './schema';

/**
 * The signed-in person and their scope in this organization, for pages and layouts. Leads to the
 * sign-in page when nobody is signed in, and to the 404 page when the organization is not theirs.
 * One look-up a request and organization.
 */
export const requireMember = cache(
  async (organizationSlug: string): Promise<{ user: SignedInUser; scope: TenantScope }> => {
    const user = await requireUser();
    try {
      return { user, scope: await scopeOfMember(user, organizationSlug) };
    } catch (error) {
      if (error instanceof NotFoundError) notFound();
      throw error;
    }
  },
);
