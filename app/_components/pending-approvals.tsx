import { TextLink } from '@/app/_components/ui/link';
import { shellLine } from '@/lib/engine/approvals/words';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { formatCounted } from '@/lib/platform/format/count';
import { StatusBadge } from './status/status-badge';
import { type Tier, TierMark } from './status/tier-mark';
import { Time } from './status/time';
import { Button } from './ui/button';
import { Card } from './ui/card';
import { Link } from './ui/link';
import { SafeText } from './ui/safe-text';

interface PendingApprovalsProps {
  approvals: readonly ApprovalDto[];
  /** Where not all of them are listed. */
  total?: number;
  orgSlug: string;
  /** On pages of the whole organization. */
  showsChain?: boolean;
}

/** What waits for a decision, with the way to decide about it. */
export function PendingApprovals(props: PendingApprovalsProps) {
  const { approvals, total = approvals.length, orgSlug, showsChain } = props;
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
        <TextLink href={`/${orgSlug}/approvals`}>
          and {formatCounted(others.length, 'more request')}
        </TextLink>
      ) : null}
    </p>
  );
}

type Subject = Pick<ApprovalDto, 'argv' | 'tier'>;

/** Returns what is decided about as text: a shell line, or `Start of tier 2`. */
export function subjectText({ argv, tier }: Subject): string {
  return argv === null ? `Start of tier ${tier}` : shellLine(argv);
}

const LISTED_LENGTH = 300;

/** The same in a list: a command in monospace, cut after two lines. Its own page shows the whole command. */
export function ListedSubject({ approval }: { approval: Subject }) {
  const text = subjectText(approval);
  if (approval.argv === null) return text;
  const isCut = text.length > LISTED_LENGTH;
  return (
    <code className="line-clamp-2 text-code [overflow-wrap:anywhere]">
      <SafeText text={isCut ? `${text.slice(0, LISTED_LENGTH)}…` : text} />
    </code>
  );
}
