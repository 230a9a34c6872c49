import type { Metadata } from 'next';
import { FeedView } from '@/app/_components/chains/feed-view';
import type { Params } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { visibleText } from '@/lib/platform/format/visible-text';
import { loadProject } from '../_components/load-project';

interface EventsPageProps {
  params: Promise<{ orgSlug: string; projectSlug: string }>;
  searchParams: Promise<Params>;
}

export async function generateMetadata({ params }: EventsPageProps): Promise<Metadata> {
  const { orgSlug, projectSlug } = await params;
  const { project } = await loadProject(orgSlug, projectSlug);
  return { title: visibleText(`Activity · ${project.name}`) };
}

export default async function EventsPage({ params, searchParams }: EventsPageProps) {
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
