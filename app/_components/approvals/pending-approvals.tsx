import { Link } from '@/app/_components/ui/link';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { StatusBadge } from '../status/status-badge';
import { type Tier, TierMark } from '../status/tier-mark';
import { Time } from '../status/time';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { ListedSubject } from './subject';

interface PendingApprovalsProps {
  approvals: readonly ApprovalDto[];
  /** Where not all of them are listed. */
  total?: number;
  orgSlug: string;
  /** On pages of the whole organization. */
  showsChain?: boolean;
  className?: string;
}

/** What waits for a decision, with the way to decide about it. */
export function PendingApprovals(props: PendingApprovalsProps) {
  const { approvals, total = approvals.length, orgSlug, showsChain, className } = props;
  if (approvals.length === 0) return null;
  return (
    <Card
      title="Waiting for approval"
      note={total}
      actions={
        total > approvals.length ? (
          <Link href={`/${orgSlug}/approvals`} className="link text-ui">
            All approvals
          </Link>
        ) : null
      }
      isFlush
      className={className}
    >
      <ul>
        {approvals.map((approval) => (
          <li
            key={approval.id}
            className="relative flex min-h-11 items-center gap-x-3 gap-y-1.5 border-line border-t px-4 py-2 text-ui first:border-t-0 hover:bg-hover max-md:flex-wrap"
          >
            <StatusBadge kind="approval" state={approval.status} detail={votesText(approval)} />
            <TierMark tier={approval.tier as Tier} />
            <Link
              href={`/${orgSlug}/approvals/${approval.id}`}
              className="min-w-0 flex-1 font-medium -outline-offset-2 after:absolute after:inset-0 after:content-[''] max-md:order-1 max-md:basis-full"
            >
              <ListedSubject approval={approval} />
            </Link>
            <span className="break-words text-text-2 max-md:order-2 md:max-w-60">
              {showsChain ? (
                <>
                  {approval.project.name} · Chain #{approval.chain.number}
                </>
              ) : (
                approval.services.join(', ')
              )}
            </span>
            <span className="whitespace-nowrap text-text-3 max-md:ml-auto">
              expires <Time at={approval.expiresAt} isPlain />
            </span>
            <Button asChild size="sm">
              {/* The row's link is the same, for the keyboard and for screen readers. */}
              <Link
                href={`/${orgSlug}/approvals/${approval.id}`}
                tabIndex={-1}
                aria-hidden
                className="relative z-10 max-md:order-3 max-md:h-11 max-md:basis-full"
              >
                Decide
              </Link>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** `1 of 2`; null where one person is enough. */
export function votesText({
  votes,
  peopleNeeded,
}: Pick<ApprovalDto, 'votes' | 'peopleNeeded'>): string | null {
  if (peopleNeeded < 2) return null;
  const given = votes.filter(({ verdict }) => verdict === 'approve').length;
  return `${given} of ${peopleNeeded}`;
}
