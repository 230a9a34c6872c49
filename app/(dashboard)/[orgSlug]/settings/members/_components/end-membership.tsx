'use client';

import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { toast } from 'sonner';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import type { MemberDto } from '@/lib/identity/members/schema';
import { leaveOrganization, removeMember } from '../actions';
import { tokenCountWords } from './role-words';

interface EndMembershipProps {
  organizationSlug: string;
  member: MemberDto;
  /** Leaves, instead of being removed. */
  isSelf: boolean;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

export function EndMembership(props: EndMembershipProps) {
  const { organizationSlug, member, isSelf, open, onOpenChange } = props;
  const router = useRouter();
  const [isRevoking, setRevoking] = useState(true);
  const name = member.name || (member.email ?? 'this member');
  const tokens = member.tokenCount ?? 0;

  async function confirm(): Promise<string | undefined> {
    const revokeTokens = isRevoking;
    const answer = isSelf
      ? await leaveOrganization({ organizationSlug, revokeTokens })
      : await removeMember({ organizationSlug, memberId: member.id, revokeTokens });
    if (!answer.ok) return answer.error.message;
    toast.success(`${name} is no member any more.`);
    router.refresh();
    return undefined;
  }

  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={isSelf ? 'Leave the organization' : `Remove ${name}`}
      confirmLabel={isSelf ? 'Leave organization' : `Remove ${name}`}
      effects={[
        isSelf
          ? 'You see nothing of it any more from now on.'
          : `${name} sees nothing of the organization any more, from the next request on.`,
        isSelf
          ? 'To come back you need a new invitation.'
          : 'What they did stays in the audit log. They can be invited again.',
      ]}
      onConfirm={confirm}
    >
      {tokens > 0 ? (
        <CheckboxField
          label={`Also revoke ${tokenCountWords(tokens)} ${isSelf ? 'you' : 'they'} made`}
          hint="Whoever made a token may still know it."
          checked={isRevoking}
          onChange={(event) => setRevoking(event.target.checked)}
        />
      ) : null}
    </ConfirmDialog>
  );
}
