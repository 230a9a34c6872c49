'use client';

import { Ellipsis, LogOut, UserCog, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_components/ui/button';
import { Menu, MenuItem } from '@/app/_components/ui/menu';
import type { MemberDto } from '@/lib/identity/members/schema';
import { hasRole, ROLES, type Role } from '@/lib/platform/db/roles';
import { ChangeRole } from './change-role';
import { EndMembership } from './end-membership';

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
        <MenuItem disabledReason={refusal} onSelect={() => setOpen('role')}>
          <UserCog aria-hidden /> Change role…
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
