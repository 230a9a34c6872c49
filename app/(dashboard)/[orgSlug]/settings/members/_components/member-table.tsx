import { Time } from '@/app/_components/status/time';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { MemberDto } from '@/lib/identity/members/schema';
import { mayDo } from '@/lib/identity/tenancy/role-matrix';
import type { Role } from '@/lib/platform/db/roles';
import { MemberMenu } from './member-menu';
import { ROLE_WORDS } from './role-words';

interface MemberTableProps {
  organizationSlug: string;
  members: readonly MemberDto[];
  ownEmail: string;
  ownRole: Role;
  /** That the reader may give. */
  roles: readonly Role[];
  isOnlyOwner: boolean;
}

export function MemberTable(props: MemberTableProps) {
  const { organizationSlug, members, ownEmail, ownRole, roles, isOnlyOwner } = props;
  const isFull = mayDo(ownRole, 'member.manage');
  // Below admin, people only see their own address.
  const isOwn = (member: MemberDto) => member.email === ownEmail;
  const columns: Column<MemberDto>[] = [
    {
      header: 'Name',
      phone: 'title',
      cell: (member) => (
        <span className="break-words">
          <span className="font-medium">{member.name || member.email}</span>
          {isOwn(member) ? <span className="text-text-3"> · you</span> : null}
        </span>
      ),
    },
    ...(isFull ? [EMAIL] : []),
    { header: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
    {
      header: 'Joined',
      cell: ({ joinedAt }) => <Time at={joinedAt} form="day" isPlain />,
    },
    ...(isFull ? [LAST_SEEN, SECOND_FACTOR] : []),
    {
      header: 'Acts',
      isHeaderHidden: true,
      align: 'end',
      phone: 'aside',
      cell: (member) =>
        isFull || isOwn(member) ? (
          <MemberMenu
            organizationSlug={organizationSlug}
            member={member}
            isSelf={isOwn(member)}
            roles={roles}
            ownRole={ownRole}
            isLastOwner={isOnlyOwner && member.role === 'owner'}
          />
        ) : null,
    },
  ];
  return (
    <DataTable label="Members" columns={columns} rows={members} rowKey={(member) => member.id} />
  );
}

const EMAIL: Column<MemberDto> = {
  header: 'E-mail',
  cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
};

const LAST_SEEN: Column<MemberDto> = {
  header: 'Last seen',
  cell: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} isPlain /> : 'Not yet'),
};

const SECOND_FACTOR: Column<MemberDto> = {
  header: 'Second factor',
  cell: ({ hasSecondFactor }) =>
    hasSecondFactor ? 'Yes' : <span className="text-wait-fg">None</span>,
};
