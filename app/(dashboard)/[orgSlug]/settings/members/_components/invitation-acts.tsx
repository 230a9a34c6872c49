'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog } from '@/app/_components/ui/dialog';
import { Spinner } from '@/app/_components/ui/spinner';
import type { InvitationDto, SentInvitation } from '@/lib/identity/invitations/schema';
import { resendInvitation, revokeInvitation } from '../actions';
import { InvitationLink } from './invitation-link';

interface InvitationActsProps {
  organizationSlug: string;
  invitation: InvitationDto;
  /** False for one above the reader's role. */
  canResend: boolean;
}

export function InvitationActs(props: InvitationActsProps) {
  const { organizationSlug, invitation, canResend } = props;
  const { email } = invitation;
  const router = useRouter();
  const [sent, setSent] = useState<SentInvitation | null>(null);
  const [isPending, startTransition] = useTransition();

  function resend() {
    if (isPending) return;
    startTransition(async () => {
      const answer = await resendInvitation({ organizationSlug, invitationId: invitation.id });
      if (!answer.ok) toast.error(answer.error.message);
      else if (answer.data.link) setSent(answer.data);
      else
        toast.success(`A new link is on its way to ${email}. The previous link no longer works.`);
      router.refresh();
    });
  }

  return (
    <span className="inline-flex gap-2">
      {canResend ? (
        <Button
          size="sm"
          aria-label={`New link for ${email}`}
          aria-disabled={isPending || undefined}
          onClick={resend}
        >
          {isPending ? <Spinner /> : null} New link
        </Button>
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
        onConfirm={async () => {
          const answer = await revokeInvitation({ organizationSlug, invitationId: invitation.id });
          if (!answer.ok) return answer.error.message;
          router.refresh();
          return undefined;
        }}
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
