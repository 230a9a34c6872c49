import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requireMember } from '@/lib/identity/auth/current-user';
import { EVENTS_OF_A_PAGE } from '@/lib/insight/incidents/evidence';
import { getIncidentByNumber } from '@/lib/insight/incidents/list-incidents';
import { NotFoundError } from '@/lib/platform/errors';

/**
 * The incident of the address with a page of its timeline; leads to the 404 page when it is not there.
 *
 * @param until number of the last event; the newest one for anything but a number
 */
export const loadIncident = cache(
  async (orgSlug: string, projectSlug: string, number: string, until?: string) => {
    const { scope } = await requireMember(orgSlug);
    if (!NUMBER.test(number)) notFound();
    const part = {
      take: EVENTS_OF_A_PAGE,
      until: until !== undefined && NUMBER.test(until) ? Number(until) : null,
    };
    try {
      const incident = await getIncidentByNumber(scope, projectSlug, Number(number), part);
      return { scope, incident, root: `/${orgSlug}/projects/${projectSlug}` };
    } catch (error) {
      if (error instanceof NotFoundError) notFound();
      throw error;
    }
  },
);

const NUMBER = /^\d{1,9}$/;
