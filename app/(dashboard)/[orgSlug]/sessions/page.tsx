import type { Metadata } from 'next';
import { Suspense } from 'react';
import type { Params } from '@/app/_components/lists/list-params';
import { SessionsView } from '@/app/_components/sessions/sessions-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import { loadOverview } from '../_components/page-context';

export const metadata: Metadata = { title: 'Sessions' };

interface SessionsPageProps {
  params: Promise<{ orgSlug: string }>;
  searchParams: Promise<Params>;
}

export default async function SessionsPage({ params, searchParams }: SessionsPageProps) {
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
