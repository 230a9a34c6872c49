import { Time } from '@/app/_components/status/time';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { InvitationDto } from '@/lib/identity/invitations/schema';
import { hasRole, type Role } from '@/lib/platform/db/roles';
import { InvitationActs } from './invitation-acts';
import { ROLE_WORDS } from './role-words';

interface InvitationTableProps {
  organizationSlug: string;
  invitations: readonly InvitationDto[];
  /** That the reader may give. */
  roles: readonly Role[];
}

export function InvitationTable({ organizationSlug, invitations, roles }: InvitationTableProps) {
  const columns: Column<InvitationDto>[] = [
    ...WHAT_IT_IS,
    {
      header: 'Acts',
      isHeaderHidden: true,
      align: 'end',
      cell: (invitation) => (
        <InvitationActs
          organizationSlug={organizationSlug}
          invitation={invitation}
          canResend={roles.some((role) => hasRole(role, invitation.role))}
        />
      ),
    },
  ];
  return (
    <DataTable
      label="Invitations"
      columns={columns}
      rows={invitations}
      rowKey={(invitation) => invitation.id}
    />
  );
}

const WHAT_IT_IS: Column<InvitationDto>[] = [
  {
    header: 'E-mail',
    phone: 'title',
    cell: ({ email }) => <span className="wrap-anywhere font-medium">{email}</span>,
  },
  { header: 'Role', cell: ({ role }) => ROLE_WORDS[role] },
  {
    header: 'Link',
    cell: ({ state, expiresAt }) =>
      state === 'expired' ? (
        <span className="font-medium text-wait-fg">
          Expired <Time at={expiresAt} isPlain />
        </span>
      ) : (
        <>
          Expires <Time at={expiresAt} isPlain />
        </>
      ),
  },
  {
    header: 'Invited',
    cell: ({ invitedBy, sentAt }) => (
      <>
        <Time at={sentAt} isPlain /> <span className="text-text-2">by {invitedBy}</span>
      </>
    ),
  },
];
