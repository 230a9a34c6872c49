'use client';

import { Ellipsis, LogOut, UserCog, UserMinus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { useProof } from '@/app/_components/proof/use-proof';
import { Button } from '@/app/_components/ui/button';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { ConfirmDialog } from '@/app/_components/ui/confirm-dialog';
import { Dialog, DialogClose } from '@/app/_components/ui/dialog';
import { FormProblem } from '@/app/_components/ui/field';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import { PendingButton } from '@/app/_components/ui/spinner';
import type { MemberDto } from '@/lib/identity/members/schema';
import { mayDo } from '@/lib/identity/tenancy/role-matrix';
import { hasRole, ROLES, type Role } from '@/lib/platform/db/roles';
import { changeRole, leaveOrganization, removeMember } from '../actions';
import { RoleChoice } from './role-choice';
import { ROLE_WORDS, tokenCountWords } from './role-words';

interface MemberMenuProps {
  organizationSlug: string;
  member: MemberDto;
  isSelf: boolean;
  /** That the reader may give. */
  roles: readonly Role[];
  ownRole: Role;
  isLastOwner: boolean;
}

const LAST_OWNER = 'The only owner. Make someone else owner first.';

export function MemberMenu(props: MemberMenuProps) {
  const { organizationSlug, member, isSelf, roles, ownRole } = props;
  const [open, setOpen] = useState<'role' | 'end' | null>(null);
  const name = isSelf ? 'yourself' : member.name || (member.email ?? 'this member');
  const refusal = refusalOf(props);
  const choices = isSelf ? ROLES.filter((role) => hasRole(ownRole, role)) : roles;
  const change = (next: 'role' | 'end') => (isOpen: boolean) => setOpen(isOpen ? next : null);
  return (
    <>
      <Menu
        trigger={
          <Button look="quiet" size="icon-sm" aria-label={`More for ${name}`}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem disabledReason={refusal} onSelect={() => setOpen('role')} icon={UserCog}>
          Change role…
        </MenuItem>
        <MenuItem look="danger" disabledReason={refusal} onSelect={() => setOpen('end')}>
          {isSelf ? <LogOut aria-hidden /> : <UserMinus aria-hidden />}
          {isSelf ? 'Leave organization…' : 'Remove…'}
        </MenuItem>
      </Menu>
      {open === 'role' ? (
        <ChangeRole
          organizationSlug={organizationSlug}
          member={member}
          roles={choices}
          onOpenChange={change('role')}
        />
      ) : null}
      <EndMembership
        organizationSlug={organizationSlug}
        member={member}
        isSelf={isSelf}
        open={open === 'end'}
        onOpenChange={change('end')}
      />
    </>
  );
}

/** Why the menu's acts cannot be done; the service decides the same way. */
function refusalOf({ member, ownRole, isLastOwner }: MemberMenuProps): string | null {
  if (isLastOwner) return LAST_OWNER;
  if (!hasRole(ownRole, member.role)) return 'Needs the owner role.';
  return null;
}

interface EndMembershipProps {
  organizationSlug: string;
  member: MemberDto;
  /** Leaves, instead of being removed. */
  isSelf: boolean;
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

function EndMembership(props: EndMembershipProps) {
  const { organizationSlug, member, isSelf, open, onOpenChange } = props;
  const [revokeTokens, setRevoking] = useState(true);
  const proof = useProof();
  const name = member.name || (member.email ?? 'this member');
  const tokens = member.tokenCount ?? 0;

  const confirm = () =>
    proof.run<unknown>(() =>
      isSelf
        ? leaveOrganization({ organizationSlug, revokeTokens })
        : removeMember({ organizationSlug, memberId: member.id, revokeTokens }),
    );

  return (
    <>
      {proof.dialog}
      <ConfirmDialog
        open={open}
        onOpenChange={onOpenChange}
        title={isSelf ? 'Leave the organization' : `Remove ${name}`}
        confirmLabel={isSelf ? 'Leave organization' : `Remove ${name}`}
        effects={[
          isSelf ? 'You lose access to it immediately.' : `${name} loses access immediately.`,
          isSelf
            ? 'To come back you need a new invitation.'
            : 'What they did stays in the audit log. They can be invited again.',
        ]}
        done={`${name} is no longer a member.`}
        onConfirm={confirm}
      >
        {tokens > 0 ? (
          <CheckboxField
            label={`Also revoke ${tokenCountWords(tokens)} ${isSelf ? 'you' : 'they'} made`}
            hint="Anyone who created a token may still have a copy."
            checked={revokeTokens}
            onChange={(event) => setRevoking(event.target.checked)}
          />
        ) : null}
      </ConfirmDialog>
    </>
  );
}

interface ChangeRoleProps {
  organizationSlug: string;
  member: MemberDto;
  roles: readonly Role[];
  onOpenChange: (isOpen: boolean) => void;
}

function ChangeRole({ organizationSlug, member, roles, onOpenChange }: ChangeRoleProps) {
  const router = useRouter();
  const [role, setRole] = useState<Role>(member.role);
  const [isRevoking, setRevoking] = useState(true);
  const [error, setError] = useState<string>();
  const proof = useProof();
  const [isPending, startTransition] = useTransition();
  const name = member.name || member.email;
  const tokens = member.tokenCount ?? 0;

  function save() {
    if (isPending || role === member.role) return;
    startTransition(async () => {
      const answer = await proof.run(() =>
        changeRole({ organizationSlug, memberId: member.id, role, revokeTokens: isRevoking }),
      );
      if (!answer.ok) return setError(answer.error.message);
      toast.success(`${name} is now ${ROLE_WORDS[role].toLowerCase()}.`);
      onOpenChange(false);
      router.refresh();
    });
  }

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={`Role of ${name}`}
      description="Takes effect immediately."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <PendingButton
            look="primary"
            isPending={isPending}
            aria-disabled={role === member.role || undefined}
            onClick={save}
          >
            Change role
          </PendingButton>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RoleChoice roles={roles} value={role} onChange={setRole} />
        {tokens > 0 && !mayDo(role, 'token.manage') ? (
          <CheckboxField
            label={`Also revoke ${tokenCountWords(tokens)} they made`}
            hint="Anyone who created a token may still have a copy."
            checked={isRevoking}
            onChange={(event) => setRevoking(event.target.checked)}
          />
        ) : null}
        <FormProblem text={error} />
        {proof.dialog}
      </div>
    </Dialog>
  );
}
