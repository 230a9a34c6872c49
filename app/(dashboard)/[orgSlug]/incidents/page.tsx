import type { Metadata } from 'next';
import { Suspense } from 'react';
import { IncidentsView } from '@/app/_components/incidents/incidents-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { PageProps } from '@/app/page-props';
import { loadOverview } from '../_components/page-context';

export const metadata: Metadata = { title: 'Incidents' };

export default async function IncidentsPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  return (
    <PageBody width="wide" className="gap-4">
      <PageHeader title="Incidents" sentence="Outages of every project, newest first." />
      <PartBoundary title="Couldn’t load the incidents.">
        <Suspense fallback={<SkeletonRows label="Loading incidents" />}>
          <IncidentsView
            scope={scope}
            params={await searchParams}
            path={`/${orgSlug}/incidents`}
            project={null}
            projects={overview.projects}
          />
        </Suspense>
      </PartBoundary>
    </PageBody>
  );
}
