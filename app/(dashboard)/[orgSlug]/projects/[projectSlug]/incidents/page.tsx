import { Suspense } from 'react';
import { IncidentsView } from '@/app/_components/incidents/incidents-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { ProjectPageProps } from '@/app/page-props';
import { loadProject, projectMetadata } from '../_components/load-project';

export const generateMetadata = projectMetadata('Incidents');

export default async function ProjectIncidentsPage({ params, searchParams }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  return (
    <PageBody width="wide" className="gap-4">
      <PageHeader title="Incidents" sentence={`The outages of ${project.name}, newest first.`} />
      <PartBoundary title="Couldn’t load the incidents.">
        <Suspense fallback={<SkeletonRows label="Loading incidents" />}>
          <IncidentsView
            scope={scope}
            params={await searchParams}
            path={`/${orgSlug}/projects/${projectSlug}/incidents`}
            project={projectSlug}
            projects={[]}
          />
        </Suspense>
      </PartBoundary>
    </PageBody>
  );
}
