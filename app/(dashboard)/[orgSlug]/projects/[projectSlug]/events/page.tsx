import { FeedView } from '@/app/_components/chains/feed-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import type { ProjectPageProps } from '@/app/page-props';
import { loadProject, projectMetadata } from '../_components/load-project';

export const generateMetadata = projectMetadata('Activity');

export default async function EventsPage({ params, searchParams }: ProjectPageProps) {
  const { orgSlug, projectSlug } = await params;
  const { scope, project } = await loadProject(orgSlug, projectSlug);
  return (
    <PageBody className="gap-4">
      <PageHeader title="Activity" sentence={`What happened in ${project.name}, newest first.`} />
      <FeedView
        scope={scope}
        params={await searchParams}
        path={`/${orgSlug}/projects/${projectSlug}/events`}
        project={projectSlug}
      />
    </PageBody>
  );
}
