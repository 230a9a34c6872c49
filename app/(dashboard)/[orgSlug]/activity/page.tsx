import type { Metadata } from 'next';
import { FeedView } from '@/app/_components/chains/feed-view';
import type { Params } from '@/app/_components/lists/list-params';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { requireMember } from '@/lib/identity/auth/current-user';

export const metadata: Metadata = { title: 'Activity' };

interface ActivityPageProps {
  params: Promise<{ orgSlug: string }>;
  searchParams: Promise<Params>;
}

export default async function ActivityPage({ params, searchParams }: ActivityPageProps) {
  const { orgSlug } = await params;
  const { scope } = await requireMember(orgSlug);
  return (
    <PageBody className="gap-4">
      <PageHeader title="Activity" sentence="What happened in every project, newest first." />
      <FeedView
        scope={scope}
        params={await searchParams}
        path={`/${orgSlug}/activity`}
        project={null}
      />
    </PageBody>
  );
}
