import { Time } from '@/app/_components/status/time';
import { SafeText } from '@/app/_components/ui/safe-text';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';

const VERDICTS = { approve: 'Approved', refuse: 'Refused' };
const DOORS = { page: '', api: ', by API or command line' };

/** Each person's decision with its note, in order. */
export function VoteList({ votes }: Pick<ApprovalDto, 'votes'>) {
  return (
    <ul className="flex flex-col gap-1.5">
      {votes.map(({ person, verdict, note, via, at }) => (
        <li key={person} className="text-ui">
          {VERDICTS[verdict]} by <span className="wrap-anywhere font-medium">{person}</span>
          {DOORS[via]} <Time at={at} className="text-text-3" />
          {note ? (
            <p className="mt-0.5 whitespace-pre-wrap break-words border-line border-l-2 pl-2 text-text-2">
              <SafeText text={note} />
            </p>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
