import type { Metadata } from 'next';
import { FeedView } from '@/app/_components/chains/feed-view';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import type { PageProps } from '@/app/page-props';
import { requireMember } from '@/lib/identity/auth/current-user';

export const metadata: Metadata = { title: 'Activity' };

export default async function ActivityPage({ params, searchParams }: PageProps) {
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
