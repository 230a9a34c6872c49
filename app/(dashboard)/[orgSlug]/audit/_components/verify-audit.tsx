'use client';

import { CircleCheck, CircleHelp, CircleX, ShieldCheck } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState, useTransition } from 'react';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { Spinner } from '@/app/_components/ui/spinner';
import type { AuditVerdictDto } from '@/lib/identity/audit/schema';
import { verifyAudit } from '../actions';
import { verdictWords } from './verdict-words';

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
