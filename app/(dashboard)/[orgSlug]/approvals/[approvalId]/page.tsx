import type { Metadata } from 'next';
import { cache } from 'react';
import { RefreshWhileMoving } from '@/app/_components/deliveries/refresh-while-moving';
import { subjectText } from '@/app/_components/pending-approvals';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { StatusBadge } from '@/app/_components/status/status-badge';
import { type Tier, TierMark } from '@/app/_components/status/tier-mark';
import { Time } from '@/app/_components/status/time';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { SafeText } from '@/app/_components/ui/safe-text';
import { orNotFound } from '@/app/(dashboard)/[orgSlug]/_components/page-context';
import type { PageProps } from '@/app/page-props';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getApproval } from '@/lib/insight/approvals/list-approvals';
import type { ApprovalDto } from '@/lib/insight/approvals/schema';
import { visibleText } from '@/lib/platform/format/visible-text';
import { ApprovalFacts, Outcome, Reason } from './_components/approval-facts';
import { Decision } from './_components/decision';

const TAB_TITLE_LENGTH = 60;
/** A longer command stands below a title that only begins it. */
const WHOLE_TITLE_LENGTH = 160;
const CUT_TITLE_LENGTH = 60;

export async function generateMetadata({ params }: PageProps<'approvalId'>): Promise<Metadata> {
  const { orgSlug, approvalId } = await params;
  const { approval } = await loadApproval(orgSlug, approvalId);
  return { title: visibleText(`${cut(subjectText(approval), TAB_TITLE_LENGTH)} · Approvals`) };
}

export default async function ApprovalPage({ params }: PageProps<'approvalId'>) {
  const { orgSlug, approvalId } = await params;
  const { user, approval } = await loadApproval(orgSlug, approvalId);
  const { status, tier, argv, expiresAt, forbidden, votes, allowedAgain } = approval;
  const isPending = status === 'pending';
  const own = votes.find(({ person }) => person === user.email);
  const line = subjectText(approval);
  const isLong = line.length > WHOLE_TITLE_LENGTH;
  return (
    <PageBody className="max-lg:gap-4 max-lg:[&_:is(a,button,textarea,time)]:scroll-mb-36">
      <RefreshWhileMoving isMoving={false} nextDueAt={isPending ? expiresAt : null} />
      <PageHeader
        title={
          argv === null ? line : <CommandTitle line={isLong ? cut(line, CUT_TITLE_LENGTH) : line} />
        }
        marks={<StatusBadge kind="approval" state={status} />}
        meta={<TierMark tier={tier as Tier} form="long" />}
        sentence={<ApprovalSentence approval={approval} />}
      />
      <div className="grid items-start gap-4 max-lg:flex max-lg:flex-col max-lg:items-stretch lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-6">
        <div className="flex min-w-0 flex-col gap-4">
          {isLong ? (
            <CodeBlock label="command" value={line} isWhole>
              <SafeText text={line} />
            </CodeBlock>
          ) : null}
          <Reason approval={approval} />
          <ApprovalFacts approval={approval} orgSlug={orgSlug} />
        </div>
        <Decision
          key={approval.id}
          organizationSlug={orgSlug}
          approval={{ id: approval.id, digest: approval.digest }}
          noteHint={
            argv === null
              ? 'Shown with your decision.'
              : 'Shown with your decision, and to the agent.'
          }
          canAllowAgain={status === 'refused' && allowedAgain === null && forbidden === null}
          closed={
            isPending ? (
              own ? (
                <p className="text-ui">
                  You approved it <Time at={own.at} />. Another person has to approve it, too.
                </p>
              ) : forbidden ? (
                <p className="text-ui">{forbidden}</p>
              ) : null
            ) : (
              <Outcome approval={approval} />
            )
          }
        />
      </div>
    </PageBody>
  );
}

/** As it would be typed, with every character visible. */
function CommandTitle({ line }: { line: string }) {
  return (
    <code className="block whitespace-pre-wrap text-section [overflow-wrap:anywhere]">
      <SafeText text={line} />
    </code>
  );
}

/** What waits, for whom, and until when; or what was decided. */
function ApprovalSentence({ approval }: { approval: ApprovalDto }) {
  const { kind, status, tier, session, expiresAt, votes, peopleNeeded } = approval;
  const subject =
    kind === 'command'
      ? `The agent of Session #${session.number} requested this command.`
      : `Session #${session.number} starts tier ${tier} only with approval.`;
  if (status !== 'pending') return subject;
  const missing = peopleNeeded - votes.length;
  const whose =
    missing > 1 ? `${missing} people’s` : votes.length > 0 ? 'another person’s' : 'one person’s';
  return (
    <>
      {subject} It needs {whose} approval and expires <Time at={expiresAt} />.
    </>
  );
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** The approval of the address; leads to the 404 page when it is not there. */
const loadApproval = cache(async (orgSlug: string, approvalId: string) => {
  const { user, scope } = await requireMember(orgSlug);
  return { user, scope, approval: await orNotFound(getApproval(scope, approvalId)) };
});
