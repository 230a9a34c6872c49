import { notFound } from 'next/navigation';
import { cache } from 'react';
import { loadOverview } from '../../../_components/load-overview';

/** The project of the address with its organization; leads to the 404 page when it is not there. */
export const loadProject = cache(async (orgSlug: string, projectSlug: string) => {
  const { user, scope, overview } = await loadOverview(orgSlug);
  const project = overview.projects.find((candidate) => candidate.slug === projectSlug);
  if (!project) notFound();
  return { user, scope, overview, project };
});
