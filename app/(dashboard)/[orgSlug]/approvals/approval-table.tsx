import { hrefWith, idParam, type Params } from '@/app/_components/lists/list-params';
import { ListedSubject, votesText } from '@/app/_components/pending-approvals';
import { Unknown } from '@/app/_components/status/cost';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { NoMatch } from '@/app/_components/ui/empty-state';
import { Link } from '@/app/_components/ui/link';
import { Pagination } from '@/app/_components/ui/pagination';
import { type Column, DataTable } from '@/app/_components/ui/table';
import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import type { ApprovalStatus } from '@/lib/engine/statuses';
import { browseDecided } from '@/lib/insight/approvals/list-approvals';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import type { TenantScope } from '@/lib/platform/db/scope';

interface ApprovalTableProps {
  label: string;
  approvals: readonly ApprovalDto[];
  orgSlug: string;
  /** What the last column shows. */
  last: 'expires' | 'decided';
}

/** On phones, facts are in two columns below the request, at the same place in every card. */
const HALF = 'max-md:basis-[calc(50%-4px)] max-md:text-left';

export function ApprovalTable({ label, approvals, orgSlug, last }: ApprovalTableProps) {
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
export async function DecidedApprovals(props: DecidedApprovalsProps) {
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
