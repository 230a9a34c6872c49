import { cache } from 'react';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getOverview } from '@/lib/insight/dashboard/get-overview';

/** The frame and the page inside it ask for the same rows: read once a request. */
export const loadOverview = cache(async (orgSlug: string) => {
  const { user, scope } = await requireMember(orgSlug);
  return { user, scope, overview: await getOverview(scope) };
});
