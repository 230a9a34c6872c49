import type { Metadata } from 'next';
import { Suspense } from 'react';
import { SessionsView } from '@/app/_components/sessions/sessions-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { PageProps } from '@/app/page-props';
import { loadOverview } from '../_components/page-context';

export const metadata: Metadata = { title: 'Sessions' };

export default async function SessionsPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  return (
    <PageBody width="wide" className="gap-4">
      <PageHeader
        title="Sessions"
        sentence="Each session is one tier’s part of a chain. Newest first."
      />
      <Suspense fallback={<SkeletonRows label="Loading sessions" />}>
        <SessionsView
          scope={scope}
          params={await searchParams}
          path={`/${orgSlug}/sessions`}
          project={null}
          projects={overview.projects.map(({ slug, name }) => ({ slug, name }))}
        />
      </Suspense>
    </PageBody>
  );
}
