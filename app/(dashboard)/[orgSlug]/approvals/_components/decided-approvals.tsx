import { idParam } from '@/app/_components/lists/id-param';
import { hrefWith, type Params } from '@/app/_components/lists/list-params';
import { NoMatch } from '@/app/_components/ui/empty-state';
import { Pagination } from '@/app/_components/ui/pagination';
import { FrozenWhileUsed } from '@/app/(dashboard)/[orgSlug]/_components/frozen-while-used';
import type { ApprovalStatus } from '@/lib/engine/statuses';
import { browseDecided } from '@/lib/insight/approvals/list-approvals';
import type { TenantScope } from '@/lib/platform/db/scope';
import { ApprovalTable } from './approval-table';

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
