import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { NotFoundError } from '@/lib/platform/errors';

/** The incident of the address; leads to the 404 page when it is not there. */
export const loadIncident = cache(async (orgSlug: string, projectSlug: string, number: string) => {
  const { scope } = await requireMember(orgSlug);
  if (!/^\d{1,9}$/.test(number)) notFound();
  try {
    const incident = await getIncidentByNumber(scope, projectSlug, Number(number));
    return { scope, incident, root: `/${orgSlug}/projects/${projectSlug}` };
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
});
