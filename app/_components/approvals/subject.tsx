import { shellLine } from '@/lib/engine/approvals/words';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { SafeText } from '../ui/safe-text';

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
