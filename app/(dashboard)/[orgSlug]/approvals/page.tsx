import type { Metadata } from 'next';
import { Suspense } from 'react';
import { RefreshWhileMoving } from '@/app/_components/deliveries/refresh-while-moving';
import { FilterBar } from '@/app/_components/lists/filter-bar';
import { choiceParam, hrefWith, idParam, type Params } from '@/app/_components/lists/list-params';
import { projectFilter } from '@/app/_components/lists/ranged-list';
import { ListedSubject, votesText } from '@/app/_components/pending-approvals';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Unknown } from '@/app/_components/status/cost';
import { stateLook } from '@/app/_components/status/states';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState, NoMatch } from '@/app/_components/ui/empty-state';
import { Link } from '@/app/_components/ui/link';
import { Pagination } from '@/app/_components/ui/pagination';
import { PartBoundary } from '@/app/_components/ui/part-boundary';
import { SkeletonRows } from '@/app/_components/ui/skeleton';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import type { PageProps } from '@/app/page-props';
import { APPROVAL_STATUSES, type ApprovalStatus } from '@/lib/engine/statuses';
import { browseDecided, hasDecided, listPending } from '@/lib/insight/approvals/list-approvals';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { loadOverview } from '../_components/page-context';

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
        <EmptyState isCard title="No requests yet.">
          A command appears here when it matches one of its tier’s ask-first rules, and a tier when
          its start requires approval. Both are off until you turn them on in the tier settings of a
          project.
        </EmptyState>
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

interface ApprovalTableProps {
  label: string;
  approvals: readonly ApprovalDto[];
  orgSlug: string;
  /** What the last column shows. */
  last: 'expires' | 'decided';
}

/** On phones, facts are in two columns below the request, at the same place in every card. */
const HALF = 'max-md:basis-[calc(50%-4px)] max-md:text-left';

function ApprovalTable({ label, approvals, orgSlug, last }: ApprovalTableProps) {
  const columns: Column<ApprovalDto>[] = [
    {
      header: 'Request',
      phone: 'title',
      cell: (approval) => <ListedSubject approval={approval} />,
      className: 'md:min-w-64 max-md:basis-full',
    },
    {
      header: 'Status',
      phone: 'status',
      cell: (approval) => (
        <StatusBadge
          kind="approval"
          state={approval.status}
          detail={approval.status === 'pending' ? votesText(approval) : null}
        />
      ),
      className: 'md:w-28',
    },
    {
      header: 'Tier',
      phone: 'aside',
      cell: ({ tier }) => <TierMark tier={tier as Tier} />,
      className: 'md:w-20 max-md:order-0 max-md:mr-auto',
    },
    {
      header: 'Project',
      cell: ({ project }) => project.name,
      className: `max-w-48 break-words ${HALF}`,
    },
    {
      header: 'Chain',
      cell: ({ project, chain }) => (
        <Link
          href={`/${orgSlug}/projects/${project.slug}/chains/${chain.number}`}
          className="link relative z-10 tabular-nums"
        >
          <span className="sr-only">Chain </span>#{chain.number}
        </Link>
      ),
      className: `md:w-20 ${HALF}`,
    },
    {
      header: 'Services',
      cell: ({ services }) =>
        services.length > 0 ? (
          <span className="break-words md:line-clamp-2">{services.join(', ')}</span>
        ) : (
          <Unknown reason="It names no service" />
        ),
      className: 'max-w-60 md:min-w-40 max-md:order-5 max-md:max-w-none max-md:basis-full',
    },
    {
      header: 'Requested',
      cell: ({ requestedAt }) => <Time at={requestedAt} isPlain />,
      className: `md:w-28 ${HALF}`,
    },
    last === 'expires'
      ? {
          header: 'Expires',
          cell: ({ expiresAt }) => <Time at={expiresAt} isPlain />,
          className: `md:w-28 ${HALF}`,
        }
      : {
          header: 'Decided',
          cell: (approval) => <Decided approval={approval} />,
          className: `md:w-72 ${HALF}`,
        },
  ];
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={approvals}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/${orgSlug}/approvals/${id}`}
    />
  );
}

/** When, and by whom. */
function Decided({ approval: { decidedAt, votes } }: { approval: ApprovalDto }) {
  if (decidedAt === null) return <Unknown reason="Nobody has decided" />;
  const people = votes.map(({ person }) => person).join(' and ');
  return (
    <>
      <Time at={decidedAt} isPlain />
      {people ? <span className="break-words text-text-2"> by {people}</span> : null}
    </>
  );
}

const PAGE = 50;

interface DecidedApprovalsProps {
  scope: TenantScope;
  params: Params;
  path: string;
  status: Exclude<ApprovalStatus, 'pending'> | undefined;
  /** Slug. */
  project: string | undefined;
}

/** A page of what no longer waits, newest request first. */
async function DecidedApprovals(props: DecidedApprovalsProps) {
  const { scope, params, path, status, project } = props;
  const before = idParam(params, 'before', 'apr');
  const after = idParam(params, 'after', 'apr');
  const page = await browseDecided(scope, { status, project, before, after, limit: PAGE });
  const isFiltered = Boolean(status || project || before || after);
  if (page.data.length === 0) {
    return (
      <div className="rounded-card border border-line bg-surface">
        {isFiltered ? (
          <NoMatch what="decided approvals" clearHref={path} />
        ) : (
          <p className="px-4 py-6 text-text-2">No request has been decided yet.</p>
        )}
      </div>
    );
  }
  return (
    <>
      <FrozenWhileUsed>
        <ApprovalTable
          label="Decided"
          approvals={page.data}
          orgSlug={scope.organizationSlug}
          last="decided"
        />
      </FrozenWhileUsed>
      <Pagination
        newerHref={page.newerThan && hrefWith(path, params, { after: page.newerThan })}
        olderHref={page.olderThan && hrefWith(path, params, { before: page.olderThan })}
      />
    </>
  );
}
