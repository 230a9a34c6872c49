import type { Metadata } from 'next';
import { Suspense } from 'react';
import { ChainsView } from '@/app/_components/chains/chains-view';
import type { Params } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import { visibleText } from '@/lib/platform/format/visible-text';
import { loadProject } from '../_components/load-project';

interface ChainsPageProps {
  params: Promise<{ orgSlug: string; projectSlug: string }>;
  searchParams: Promise<Params>;
}

export async function generateMetadata({ params }: ChainsPageProps): Promise<Metadata> {
  const { orgSlug, projectSlug } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  return { title: visibleText(`Chains · ${project.name}`) };
}

export default async function ProjectChainsPage({ params, searchParams }: ChainsPageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  return (
    <PageBody width="wide" className="gap-4">
      <PageHeader title="Chains" sentence={`The chains of ${project.name}, newest first.`} />
      <Suspense fallback={<SkeletonRows label="Loading chains" />}>
        <ChainsView
          scope={scope}
          params={await searchParams}
          path={`/${orgSlug}/projects/${projectSlug}/chains`}
          project={projectSlug}
          projects={[]}
        />
      </Suspense>
    </PageBody>
  );
}
