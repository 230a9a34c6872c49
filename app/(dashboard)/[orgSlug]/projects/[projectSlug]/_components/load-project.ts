import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { loadOverview } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { ProjectPageProps } from '@/app/page-props';
import type { ProjectFacts } from '@/lib/insight/dashboard/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { visibleText } from '@/lib/platform/format/visible-text';
import { hasSample } from '@/lib/projects/demo-service/client';

/** The project of the address with its organization; leads to the 404 page when it is not there. */
export const loadProject = cache(async (orgSlug: string, projectSlug: string) => {
  const { user, scope, overview } = await loadOverview(orgSlug);
  const project = overview.projects.find((candidate) => candidate.slug === projectSlug);
  if (!project) notFound();
  return { user, scope, overview, project };
});

/** Titles a page of a project: "Chains · Checkout". */
export function projectMetadata(label: string) {
  return async ({ params }: ProjectPageProps): Promise<Metadata> => {
    const { orgSlug, projectSlug } = await params;
    const { project } = await loadProject(orgSlug, projectSlug);
    return { title: visibleText(`${label} · ${project.name}`) };
  };
}

/** Whether the project watches the services of the demo, so that they may be broken from here. */
export const isSample = cache(
  async (scope: TenantScope, project: ProjectFacts): Promise<boolean> =>
    project.harness === 'demo' && hasSample(scope, project.id),
);
