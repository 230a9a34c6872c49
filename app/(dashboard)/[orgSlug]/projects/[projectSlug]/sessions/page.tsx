import { Suspense } from 'react';
import { SIDE_BY_SIDE_FORM } from '@/app/_components/sessions/session-table';
import { SessionsView } from '@/app/_components/sessions/sessions-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Button } from '@/app/_components/ui/button';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { ProjectPageProps } from '@/app/page-props';
import { loadProject, projectMetadata } from '../_components/load-project';

export const generateMetadata = projectMetadata('Sessions');

export default async function ProjectSessionsPage({ params, searchParams }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  return (
    <PageBody width="wide" className="gap-4">
      <PageHeader
        title="Sessions"
        sentence={`One tier’s turn each in ${project.name}, by chain, newest first.`}
        actions={
          <form
            id={SIDE_BY_SIDE_FORM}
            action={`/${orgSlug}/projects/${projectSlug}/sessions/side-by-side`}
          >
            <Button type="submit">Open two side by side</Button>
          </form>
        }
      />
      <Suspense fallback={<SkeletonRows label="Loading sessions" />}>
        <SessionsView
          scope={scope}
          params={await searchParams}
          path={`/${orgSlug}/projects/${projectSlug}/sessions`}
          project={projectSlug}
          projects={[]}
        />
      </Suspense>
    </PageBody>
  );
}
