'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useId, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Field, FormProblem } from '@/app/_components/ui/field';
import { Textarea } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';
import { decide } from '@/app/(dashboard)/[orgSlug]/actions';
import type { ApprovalDecision } from '@/lib/engine/statuses';

const DONE: Record<ApprovalDecision, string> = {
  approve: 'You approved it.',
  refuse: 'You refused it.',
  allow_again: 'You allowed it again.',
};

interface DecisionProps {
  organizationSlug: string;
  approval: { id: string; digest: string };
  noteHint: string;
  /** Stands in place of the form: the outcome, or why the reader can't decide. */
  closed: ReactNode | null;
  /** Whether the reader can take the refusal back. */
  canAllowAgain: boolean;
}

/**
 * Approve and Refuse with an optional note. On narrow screens the buttons stay at the lower edge. An
 * error stays visible after the refresh that closes the form.
 */
export function Decision({
  organizationSlug,
  approval,
  noteHint,
  closed,
  canAllowAgain,
}: DecisionProps) {
  const router = useRouter();
  const noteId = useId();
  const [note, setNote] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [sent, setSent] = useState<ApprovalDecision | null>(null);
  const [isPending, startTransition] = useTransition();

  function send(verdict: ApprovalDecision) {
    if (isPending) return;
    setSent(verdict);
    startTransition(async () => {
      const { id: approvalId, digest } = approval;
      const answer = await decide({ organizationSlug, approvalId, verdict, digest, note });
      setError(answer.ok ? null : answer.error.message);
      if (answer.ok) toast.success(DONE[verdict]);
      router.refresh();
    });
  }

  const button = (verdict: ApprovalDecision, label: string) => (
    <PendingButton
      look={verdict === 'approve' ? 'primary' : 'secondary'}
      isPending={isPending && sent === verdict}
      aria-disabled={isPending || undefined}
      onClick={() => send(verdict)}
      className="max-lg:h-11"
    >
      {label}
    </PendingButton>
  );

  return (
    <section
      aria-label="Decision"
      className="lg:sticky lg:top-16 lg:flex lg:flex-col lg:gap-3 lg:rounded-card lg:border lg:border-line lg:bg-surface lg:px-4 lg:pt-2.75 lg:pb-4 max-lg:contents"
    >
      {closed ? (
        <div className="flex flex-col gap-2 max-lg:-order-1 max-lg:rounded-card max-lg:border max-lg:border-line max-lg:bg-surface max-lg:px-4 max-lg:pt-2.75 max-lg:pb-4">
          <h2 className="text-card">Decision</h2>
          <FormProblem text={error} />
          {closed}
          {canAllowAgain ? button('allow_again', 'Allow again') : null}
        </div>
      ) : (
        <>
          <div className="flex flex-col gap-2 max-lg:rounded-card max-lg:border max-lg:border-line max-lg:bg-surface max-lg:px-4 max-lg:pt-2.75 max-lg:pb-4">
            <h2 className="text-card">Your decision</h2>
            <Field id={noteId} label="Note" isOptional hint={noteHint}>
              <Textarea
                rows={3}
                maxLength={1_000}
                value={note}
                onChange={(event) => setNote(event.target.value)}
              />
            </Field>
          </div>
          <div className="flex flex-col gap-2 max-lg:sticky max-lg:bottom-0 max-lg:z-20 max-lg:-mx-gutter max-lg:border-line max-lg:border-t max-lg:bg-canvas max-lg:px-gutter max-lg:py-3 max-md:bottom-[calc(3.5rem+env(safe-area-inset-bottom))] max-md:-mx-4 max-md:px-4">
            <FormProblem text={error} />
            <div className="grid grid-cols-2 gap-2">
              {button('refuse', 'Refuse')}
              {button('approve', 'Approve')}
            </div>
          </div>
        </>
      )}
    </section>
  );
}
