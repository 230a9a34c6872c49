import { Link } from '@/app/_components/ui/link';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { StatusBadge } from '../status/status-badge';
import { ListedSubject } from './subject';

interface PendingLineProps {
  approvals: readonly ApprovalDto[];
  orgSlug: string;
}

/** What a session waits for, in a line that leads to the decision. */
export function PendingLine({ approvals, orgSlug }: PendingLineProps) {
  const [first, ...others] = approvals;
  if (!first) return null;
  return (
    <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-ui">
      <StatusBadge kind="approval" state="pending" className="max-md:hidden" />
      <Link href={`/${orgSlug}/approvals/${first.id}`} className="link inline-flex min-w-0 gap-1.5">
        <span className="whitespace-nowrap">Decide about</span>
        <ListedSubject approval={first} />
      </Link>
      {others.length > 0 ? (
        <Link href={`/${orgSlug}/approvals`} className="link">
          and {formatCounted(others.length, 'more request')}
        </Link>
      ) : null}
    </p>
  );
}
