'use client';

import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { toast } from 'sonner';
import { Button } from '@/app/_components/ui/button';
import { CheckboxField } from '@/app/_components/ui/checkbox';
import { Dialog, DialogClose } from '@/app/_components/ui/dialog';
import { FormProblem } from '@/app/_components/ui/field';
import { Spinner } from '@/app/_components/ui/spinner';
import type { MemberDto } from '@/lib/identity/members/schema';
import { mayDo } from '@/lib/identity/tenancy/role-matrix';
import type { Role } from '@/lib/platform/db/roles';
import { changeRole } from '../actions';
import { RoleChoice } from './role-choice';
import { ROLE_WORDS, tokenCountWords } from './role-words';

interface ChangeRoleProps {
  organizationSlug: string;
  member: MemberDto;
  roles: readonly Role[];
  onOpenChange: (isOpen: boolean) => void;
}

export function ChangeRole({ organizationSlug, member, roles, onOpenChange }: ChangeRoleProps) {
  const router = useRouter();
  const [role, setRole] = useState<Role>(member.role);
  const [isRevoking, setRevoking] = useState(true);
  const [error, setError] = useState<string>();
  const [isPending, startTransition] = useTransition();
  const name = member.name || member.email;
  const tokens = member.tokenCount ?? 0;

  function save() {
    if (isPending || role === member.role) return;
    startTransition(async () => {
      const answer = await changeRole({
        organizationSlug,
        memberId: member.id,
        role,
        revokeTokens: isRevoking,
      });
      if (!answer.ok) return setError(answer.error.message);
      toast.success(`${name} is ${ROLE_WORDS[role].toLowerCase()} now.`);
      onOpenChange(false);
      router.refresh();
    });
  }

  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title={`Role of ${name}`}
      description="It holds from their next request on."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            look="primary"
            aria-disabled={isPending || role === member.role || undefined}
            onClick={save}
          >
            {isPending ? <Spinner /> : null} Change role
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <RoleChoice roles={roles} value={role} onChange={setRole} />
        {tokens > 0 && !mayDo(role, 'token.manage') ? (
          <CheckboxField
            label={`Also revoke ${tokenCountWords(tokens)} they made`}
            hint="Whoever made a token may still know it."
            checked={isRevoking}
            onChange={(event) => setRevoking(event.target.checked)}
          />
        ) : null}
        <FormProblem text={error} />
      </div>
    </Dialog>
  );
}
