import type { Metadata } from 'next';
import { Suspense } from 'react';
import { IncidentsView } from '@/app/_components/incidents/incidents-view';
import type { Params } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import { visibleText } from '@/lib/platform/format/visible-text';
import { loadProject } from '../_components/load-project';

interface IncidentsPageProps {
  params: Promise<{ orgSlug: string; projectSlug: string }>;
  searchParams: Promise<Params>;
}

export async function generateMetadata({ params }: IncidentsPageProps): Promise<Metadata> {
  const { orgSlug, projectSlug } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  return { title: visibleText(`Incidents · ${project.name}`) };
}

export default async function ProjectIncidentsPage({ params, searchParams }: IncidentsPageProps) {
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
