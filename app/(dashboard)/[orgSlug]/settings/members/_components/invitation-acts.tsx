'use client';

import { useState } from 'react';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { PendingButton } from '@/app/_components/ui/spinner';
import { useAct } from '@/app/_components/ui/use-act';
import type { InvitationDto, SentInvitation } from '@/lib/identity/invitations/schema';
import { resendInvitation, revokeInvitation } from '../actions';

interface InvitationActsProps {
  organizationSlug: string;
  invitation: InvitationDto;
  /** False for one above the reader's role. */
  canResend: boolean;
}

export function InvitationActs(props: InvitationActsProps) {
  const { organizationSlug, invitation, canResend } = props;
  const { email } = invitation;
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const { act, isPending, sayDone } = useAct();
  const resend = () =>
    act(
      () => resendInvitation({ organizationSlug, invitationId: invitation.id }),
      (resent) =>
        resent.link
          ? setSent(resent)
          : sayDone(`A new link is on its way to ${email}. The previous link no longer works.`),
    );

  return (
    <span className="inline-flex gap-2">
      {canResend ? (
        <PendingButton
          size="sm"
          aria-label={`New link for ${email}`}
          isPending={isPending}
          onClick={resend}
        >
          New link
        </PendingButton>
      ) : null}
      <ConfirmDialog
        trigger={
          <Button size="sm" aria-label={`Revoke the invitation of ${email}`}>
            Revoke
          </Button>
        }
        title={`Revoke the invitation of ${email}`}
        confirmLabel="Revoke invitation"
        effects={[
          'Its link stops working and shows who to ask for a new one.',
          'The address can be invited again.',
        ]}
        onConfirm={() => revokeInvitation({ organizationSlug, invitationId: invitation.id })}
      />
      <Dialog
        open={sent !== null}
        onOpenChange={(isOpen) => (isOpen ? undefined : setSent(null))}
        title={`New link for ${email}`}
        description="The previous link no longer works."
      >
        {sent ? <InvitationLink invitation={sent} onDone={() => setSent(null)} /> : null}
      </Dialog>
    </span>
  );
}

interface InvitationLinkProps {
  invitation: SentInvitation;
  onDone: () => void;
}

/** The link for the inviter to pass on: no mail server is set, or it refused. Shown once. */
export function InvitationLink({ invitation, onDone }: InvitationLinkProps) {
  const { email, expiresAt, mailProblem } = invitation;
  const link = invitation.link ?? '';
  return (
    <div className="flex flex-col gap-4">
      <p className="text-text-2">
        {mailProblem
          ? `The e-mail could not be sent. ${mailProblem} `
          : 'This installation can’t send e-mail. '}
        Copy the link now and pass it on to {email}: it can’t be shown again.
      </p>
      <CodeBlock label="link" value={link} className="break-all">
        {link}
      </CodeBlock>
      <p className="text-text-2 text-ui">
        It works once, only for this address, and expires <Time at={expiresAt} isPlain />.
      </p>
      <Button look="primary" onClick={onDone} className="self-end">
        Done
      </Button>
    </div>
  );
}
