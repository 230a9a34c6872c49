import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RefreshWhileMoving } from '@/app/_components/deliveries/refresh-while-moving';
import { FilterBar } from '@/app/_components/lists/filter-bar';
import { choiceParam, idParam } from '@/app/_components/lists/list-params';
import { projectFilter } from '@/app/_components/lists/ranged-list';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { stateLook } from '@/app/_components/status/states';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState, NoMatch } from '@/app/_components/ui/empty-state';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import type { PageProps } from '@/app/page-props';
import { APPROVAL_STATUSES } from '@/lib/engine/statuses';
import { hasDecided, listPending } from '@/lib/insight/approvals/list-approvals';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { loadOverview } from '../_components/page-context';
import { ApprovalTable, DecidedApprovals } from './approval-table';

export const metadata: Metadata = { title: 'Approvals' };

/** An inbox with more has a problem that a second page doesn't solve. */
const MAX_PENDING = 100;

export default async function ApprovalsPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { scope, overview } = await loadOverview(orgSlug);
  const [asked, pending, isDecided] = await Promise.all([
    searchParams,
    listPending(scope, { limit: MAX_PENDING }),
    hasDecided(scope),
  ]);
  const path = `/${orgSlug}/approvals`;
  const status = choiceParam(asked, 'status', APPROVAL_STATUSES);
  const project = overview.projects.find(({ slug }) => slug === asked.project)?.slug;
  const isFirstPage = !idParam(asked, 'before', 'apr') && !idParam(asked, 'after', 'apr');
  const showsPending = isFirstPage && (status === undefined || status === 'pending');
  const shown = pending.filter((each) => project === undefined || each.project.slug === project);
  return (
    <PageBody width="wide" className="gap-4">
      <RefreshWhileMoving isMoving={false} nextDueAt={pending[0]?.expiresAt ?? null} />
      <PageHeader title="Approvals" sentence={<InboxSentence pending={pending} />} />
      {pending.length === 0 && !isDecided ? (
        <Card isFlush>
          <EmptyState title="No requests yet.">
            A command appears here when it matches one of its tier’s ask-first rules, and a tier
            when its start requires approval. Both are off until you turn them on in the tier
            settings of a project.
          </EmptyState>
        </Card>
      ) : (
        <>
          <FilterBar
            filters={[
              {
                name: 'status',
                label: 'Status',
                value: status,
                allLabel: 'Any status',
                choices: APPROVAL_STATUSES.map((value) => ({
                  value,
                  label: stateLook('approval', value).word,
                })),
              },
              ...projectFilter(overview.projects, project),
            ]}
          />
          {showsPending && (shown.length > 0 || status === 'pending') ? (
            <section className="flex flex-col gap-2">
              <h2 className="text-card">Waiting for a decision</h2>
              {shown.length > 0 ? (
                <ApprovalTable
                  label="Waiting for a decision"
                  approvals={shown}
                  orgSlug={orgSlug}
                  last="expires"
                />
              ) : (
                <Card isFlush>
                  <NoMatch what="approvals" clearHref={path} />
                </Card>
              )}
            </section>
          ) : null}
          {status === 'pending' ? null : (
            <section className="flex flex-col gap-2">
              <h2 className="text-card">Decided</h2>
              <PartBoundary title="Couldn’t load decided approvals.">
                <Suspense fallback={<SkeletonRows label="Loading decided approvals" />}>
                  <DecidedApprovals
                    scope={scope}
                    params={asked}
                    path={path}
                    status={status}
                    project={project}
                  />
                </Suspense>
              </PartBoundary>
            </section>
          )}
        </>
      )}
    </PageBody>
  );
}

/** How many wait, and for how long the first one still does. */
function InboxSentence({ pending }: { pending: readonly ApprovalDto[] }) {
  const [first] = pending;
  if (!first) return 'Nothing is waiting for approval.';
  return pending.length === 1 ? (
    <>
      1 request is waiting for approval and expires <Time at={first.expiresAt} />.
    </>
  ) : (
    <>
      {pending.length === MAX_PENDING ? `${MAX_PENDING}+` : pending.length} requests are waiting for
      approval. The first expires <Time at={first.expiresAt} />.
    </>
  );
}
