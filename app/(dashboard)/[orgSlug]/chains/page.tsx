import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ChainsView } from '@/app/_components/chains/chains-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { PageProps } from '@/app/page-props';
import { loadOverview } from '../_components/page-context';

export const metadata: Metadata = { title: 'Chains' };

export default async function ChainsPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  return (
    <PageBody width="wide" className="gap-4">
      <PageHeader title="Chains" sentence="The chains of every project, newest first." />
      <Suspense fallback={<SkeletonRows label="Loading chains" />}>
        <ChainsView
          scope={scope}
          params={await searchParams}
          path={`/${orgSlug}/chains`}
          project={null}
          projects={overview.projects.map(({ slug, name }) => ({ slug, name }))}
        />
      </Suspense>
    </PageBody>
  );
}
