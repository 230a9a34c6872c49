import { Suspense } from 'react';
import { ChainsView } from '@/app/_components/chains/chains-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { ProjectPageProps } from '@/app/page-props';
import { loadProject, projectMetadata } from '../_components/load-project';

export const generateMetadata = projectMetadata('Chains');

export default async function ProjectChainsPage({ params, searchParams }: ProjectPageProps) {
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
