import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getEndpoint } from '@/lib/deliveries/endpoints/manage-endpoints';
import { requireMember } from '@/lib/identity/auth/current-user';
import { NotFoundError } from '@/lib/platform/errors';

/** The endpoint for the page and its title; the 404 page when it is not there. */
export const loadEndpoint = cache(async (orgSlug: string, endpointId: string) => {
  const { scope } = await requireMember(orgSlug);
  try {
    return { scope, endpoint: await getEndpoint(scope, endpointId) };
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
});
