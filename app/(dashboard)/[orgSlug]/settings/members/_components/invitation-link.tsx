'use client';

import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { CodeBlock } from '@/app/_components/ui/code-block';
import type { SentInvitation } from '@/lib/identity/invitations/schema';

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
