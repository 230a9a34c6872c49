'use client';

import { UserPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import type { SentInvitation } from '@/lib/identity/invitations/schema';
import type { Role } from '@/lib/platform/db/roles';
import { InvitationLink } from './invitation-link';
import { InviteForm } from './invite-form';

interface InviteMemberProps {
  organizationSlug: string;
  roles: readonly Role[];
}

/** From address and role to the link, which the same dialog shows when no e-mail takes it. */
export function InviteMember({ organizationSlug, roles }: InviteMemberProps) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [sent, setSent] = useState<SentInvitation | null>(null);

  function changeOpen(next: boolean) {
    setOpen(next);
    if (!next) setSent(null);
  }

  function finish(invitation: SentInvitation) {
    router.refresh();
    if (invitation.link) return setSent(invitation);
    toast.success(`The invitation is on its way to ${invitation.email}.`);
    changeOpen(false);
  }

  return (
    <Dialog
      open={isOpen}
      onOpenChange={changeOpen}
      title={sent ? `Invitation for ${sent.email}` : 'Invite to the organization'}
      trigger={
        <Button look="primary">
          <UserPlus aria-hidden /> Invite
        </Button>
      }
    >
      {sent ? (
        <InvitationLink invitation={sent} onDone={() => changeOpen(false)} />
      ) : (
        <InviteForm organizationSlug={organizationSlug} roles={roles} onSent={finish} />
      )}
    </Dialog>
  );
}
