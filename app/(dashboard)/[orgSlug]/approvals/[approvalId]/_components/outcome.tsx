import { StatusBadge } from '@/app/_components/status/status-badge';
import { Time } from '@/app/_components/status/time';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { aftermath } from './approval-words';
import { VoteList } from './vote-list';

/** Who decided, when and with which note, and what became of the request. */
export function Outcome({ approval }: { approval: ApprovalDto }) {
  const { status, decidedAt, usedAt, expiresAt, kind, votes } = approval;
  const text = aftermath(approval, new Date());
  const isUnused = status === 'approved' && kind === 'command' && usedAt === null;
  return (
    <>
      <StatusBadge
        kind="approval"
        state={status}
        reason={decidedAt ? <Time at={decidedAt} form="day" /> : null}
      />
      {votes.length > 0 ? <VoteList votes={votes} /> : null}
      <p className="text-text-2 text-ui">
        {usedAt ? (
          <>
            Used <Time at={usedAt} form="day" />: the command was allowed to run.
          </>
        ) : (
          text
        )}
        {isUnused && new Date(expiresAt) > new Date() ? (
          <>
            {' '}
            Expires <Time at={expiresAt} />.
          </>
        ) : null}
      </p>
    </>
  );
}
