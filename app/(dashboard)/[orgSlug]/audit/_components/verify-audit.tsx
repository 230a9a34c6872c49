'use client';

import { CircleCheck, CircleHelp, CircleX, ShieldCheck } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState, useTransition } from 'react';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import type { AuditVerdictDto } from '@/lib/identity/audit/schema';
import { formatCount, formatCounted } from '@/lib/platform/format/count';
import { verifyAudit } from '../actions';

type Answer = { kind: 'verdict'; verdict: AuditVerdictDto } | { kind: 'failed'; message: string };

interface Verification {
  answer: Answer | null;
  isPending: boolean;
  verify: () => void;
}

const VerificationContext = createContext<Verification | null>(null);

/** Lets the button stand in the header and its answer below, in place. */
export function VerificationProvider(props: { organizationSlug: string; children: ReactNode }) {
  const { organizationSlug } = props;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isPending, startTransition] = useTransition();

  function verify() {
    if (isPending) return;
    startTransition(async () => {
      const result = await verifyAudit({ organizationSlug });
      if (!result.ok) return setAnswer({ kind: 'failed', message: result.error.message });
      setAnswer({ kind: 'verdict', verdict: result.data });
    });
  }

  return (
    <VerificationContext value={{ answer, isPending, verify }}>
      {props.children}
    </VerificationContext>
  );
}

export function VerifyButton() {
  const verification = useContext(VerificationContext);
  return (
    <Button
      look="primary"
      aria-disabled={verification?.isPending || undefined}
      onClick={verification?.verify}
    >
      {verification?.isPending ? <Spinner /> : <ShieldCheck aria-hidden />} Verify the log
    </Button>
  );
}

const LOOKS = {
  intact: { box: 'bg-ok-bg text-ok-fg', mark: 'text-ok-mark', Icon: CircleCheck },
  changed: { box: 'bg-bad-bg text-bad-fg', mark: 'text-bad-mark', Icon: CircleX },
  unknown: { box: 'bg-wait-bg text-wait-fg', mark: 'text-wait-mark', Icon: CircleHelp },
} as const;

export function VerificationAnswer() {
  const answer = useContext(VerificationContext)?.answer;
  const look = LOOKS[answer?.kind === 'verdict' ? answer.verdict.status : 'changed'];
  return (
    <div role="status" className="max-md:empty:-mb-4 md:empty:-mb-6">
      {answer ? (
        <p className={`flex items-start gap-2 rounded-card px-3 py-2 text-ui ${look.box}`}>
          <look.Icon aria-hidden className={`mt-px size-4 shrink-0 ${look.mark}`} />
          <span>
            {answer.kind === 'failed' ? answer.message : verdictWords(answer.verdict)}{' '}
            {answer.kind === 'verdict' ? (
              <>
                Checked <Time at={answer.verdict.checkedAt} form="clock" />.
              </>
            ) : null}
          </span>
        </p>
      ) : null}
    </div>
  );
}

/** The result of a verification: how much of the log is unchanged. The time is shown elsewhere. */
export function verdictWords(verdict: Omit<AuditVerdictDto, 'checkpoint'>): string {
  const { checked, firstBad, headMatches, verifiedUpTo } = verdict;
  if (verdict.anchor.state === 'differs') return differenceWords(verdict);
  const upTo =
    verifiedUpTo > 0
      ? `Verified up to entry ${formatCount(verifiedUpTo)}`
      : 'No entry could be verified';
  if (firstBad !== null) {
    return `${upTo}. Entry ${formatCount(firstBad)} doesn’t fit: it, or one before it, was changed or removed in the database. Entries from there on can’t be trusted.`;
  }
  if (!headMatches) {
    return `${upTo}, but that isn’t the one that was written last. The newest entries were removed from the database.`;
  }
  return `${upTo}: ${formatCounted(checked, 'entry', 'entries')}, 0 gaps. ${anchorWords(verdict)}`;
}

function anchorWords({ anchor }: Pick<AuditVerdictDto, 'anchor' | 'verifiedUpTo'>): string {
  const { state, seq, since } = anchor;
  if (state === 'matches') {
    return `The log matches its signed anchors, the newest at entry ${formatCount(seq ?? 0)}. They begin on ${dayOf(since)}.`;
  }
  const recomputed = 'Someone with the database could have computed all hashes again.';
  if (state === 'missing') {
    return `There is no anchor to compare the log with. ${recomputed} This check has written the first one. If there were anchors before, ask the operator where they went.`;
  }
  return state === 'unreadable'
    ? `The file of anchors can’t be read. ${recomputed} Ask the operator to check the log of the web process.`
    : `The file of anchors was changed, or the secret key was. ${recomputed} Ask the operator to compare the file with its copies.`;
}

function differenceWords({
  anchor,
  verifiedUpTo,
}: Pick<AuditVerdictDto, 'anchor' | 'verifiedUpTo'>): string {
  const { seq, at, isMissing } = anchor;
  const entry = formatCount(seq ?? 0);
  const what = isMissing
    ? `Entry ${entry}, which a signed anchor names, is gone`
    : `Entry ${entry} isn’t the one that a signed anchor names: the log was written again with new hashes`;
  return `${what}. It happened after ${dayOf(at)}. Entries up to ${formatCount(verifiedUpTo)} are unchanged. Restore the rest from a backup, and find out who has the database owner’s login.`;
}

function dayOf(at: string | null): string {
  return at ? `${at.slice(0, 16).replace('T', ' ')} UTC` : 'an unknown day';
}
