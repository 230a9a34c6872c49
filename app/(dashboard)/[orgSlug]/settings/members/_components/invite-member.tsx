'use client';

import { UserPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { toast } from 'sonner';
import type { ActionError } from '@/app/_actions/result';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { Dialog } from '@/app/_components/ui/dialog';
import { Field } from '@/app/_components/ui/field';
import { Input } from '@/app/_components/ui/input';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { SentInvitation } from '@/lib/identity/invitations/schema';
import type { Role } from '@/lib/platform/db/roles';
import { inviteMember } from '../actions';
import { InvitationLink } from './invitation-acts';
import { RoleChoice } from './role-choice';

interface InviteMemberProps {
  organizationSlug: string;
  roles: readonly Role[];
}

/** The dialog that invites an address; it shows the link if no e-mail is sent. */
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
        <Button look="primary" icon={UserPlus}>
          Invite
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

interface InviteFormProps {
  organizationSlug: string;
  roles: readonly Role[];
  onSent: (invitation: SentInvitation) => void;
}

function InviteForm({ organizationSlug, roles, onSent }: InviteFormProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('operator');
  const proof = useProof();
  const [error, setError] = useState<ActionError | null>(null);
  const [isPending, startTransition] = useTransition();
  // Every error about the address is shown at its field.
  const problem = error ? (error.fields.email ?? error.message) : null;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isPending) return;
    const form = event.currentTarget;
    startTransition(async () => {
      const answer = await proof.run(() => inviteMember({ organizationSlug, email, role }));
      if (answer.ok) return onSent(answer.data);
      setError(answer.error);
      form.querySelector<HTMLElement>('#invite-email')?.focus();
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field
        id="invite-email"
        label="E-mail"
        hint="The link only works for this address."
        error={problem}
      >
        <Input
          type="email"
          autoComplete="off"
          placeholder="bo@example.com"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            setError(null);
          }}
        />
      </Field>
      <RoleChoice roles={roles} value={role} onChange={setRole} />
      {proof.dialog}
      <PendingButton type="submit" look="primary" isPending={isPending} className="self-end">
        Create invitation
      </PendingButton>
    </form>
  );
}
