import type { Metadata } from 'next';
import { Fragment } from 'react';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Time } from '@/app/_components/status/time';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Pagination } from '@/app/_components/ui/pagination';
import { type Column, DataTable } from '@/app/_components/ui/table';
import type { PageProps } from '@/app/page-props';
import { requireMember } from '@/lib/identity/auth/current-user';
import { listInvitations } from '@/lib/identity/invitations/manage-invitations';
import type { InvitationDto } from '@/lib/identity/invitations/schema';
import { grantableRoles } from '@/lib/identity/members/decide';
import { listMembers } from '@/lib/identity/members/list-members';
import type { MemberDto } from '@/lib/identity/members/schema';
import { mayDo } from '@/lib/identity/tenancy/role-matrix';
import { hasRole, ROLES, type Role } from '@/lib/platform/db/roles';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import { InvitationActs } from './_components/invitation-acts';
import { InviteMember } from './_components/invite-member';
import { MemberMenu } from './_components/member-menu';
import { actsGainedBy, membersSentence, ROLE_WORDS } from './_components/role-words';

export const metadata: Metadata = { title: 'Members' };

const PAGE_SIZE = 100;

export default async function MembersPage({ params, searchParams }: PageProps) {
  const { orgSlug } = await params;
  const { user, scope } = await requireMember(orgSlug);
  const { cursor: wanted } = await searchParams;
  const cursor = typeof wanted === 'string' ? wanted : undefined;
  const canManage = mayDo(scope.role, 'member.manage');
  const page = await listMembers(scope, { limit: PAGE_SIZE, cursor });
  const invitations = canManage ? (await listInvitations(scope, { limit: PAGE_SIZE })).data : [];
  const roles = grantableRoles(scope.role, ROLES);
  const isWhole = !cursor && page.nextCursor === null;
  const base = `/${orgSlug}/settings/members`;
  return (
    <PageBody>
      <PageHeader
        title="Members"
        sentence={membersSentence(page.data, invitations, isWhole)}
        actions={
          <NeedsRole refusal={await refusalOf(scope, 'admin')} label="Invite" look="primary">
            <InviteMember organizationSlug={orgSlug} roles={roles} />
          </NeedsRole>
        }
      />
      <MemberTable
        organizationSlug={orgSlug}
        members={page.data}
        ownEmail={user.email}
        ownRole={scope.role}
        roles={roles}
        isOnlyOwner={isWhole && page.data.filter(({ role }) => role === 'owner').length === 1}
      />
      <Pagination
        newerHref={cursor ? base : null}
        olderHref={page.nextCursor ? `${base}?cursor=${page.nextCursor}` : null}
      />
      {canManage ? (
        <section aria-labelledby="invitations" className="flex flex-col gap-2">
          <h2 id="invitations" className="text-card">
            Invitations
          </h2>
          {invitations.length > 0 ? (
            <InvitationTable organizationSlug={orgSlug} invitations={invitations} roles={roles} />
          ) : (
            <EmptyState isCard title="No open invitations.">
              Invited people get a link that works once and expires after 7 days.
            </EmptyState>
          )}
        </section>
      ) : null}
      <RoleGuide />
    </PageBody>
  );
}

/** What each role may do, from the matrix that the services ask. */
function RoleGuide() {
  return (
    <Card title="What each role may do">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-y-2 text-ui max-md:grid-cols-1">
        {ROLES.map((role, index) => (
          <Fragment key={role}>
            <dt className="text-text-3">{ROLE_WORDS[role]}</dt>
            <dd className="max-w-prose text-text-2 max-md:mb-2">{sentenceOf(role, index > 0)}</dd>
          </Fragment>
        ))}
      </dl>
    </Card>
  );
}

function sentenceOf(role: Role, isMore: boolean): string {
  const acts = actsGainedBy(role);
  const list =
    acts.length > 1 ? `${acts.slice(0, -1).join(', ')}, and ${acts.at(-1)}` : (acts[0] ?? '');
  const sentence = `${list.charAt(0).toUpperCase()}${list.slice(1)}.`;
  return isMore ? `Also ${list}.` : sentence;
}

interface InvitationTableProps {
  organizationSlug: string;
  invitations: readonly InvitationDto[];
  /** That the reader may give. */
  roles: readonly Role[];
}

function InvitationTable({ organizationSlug, invitations, roles }: InvitationTableProps) {
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

interface MemberTableProps {
  organizationSlug: string;
  members: readonly MemberDto[];
  ownEmail: string;
  ownRole: Role;
  /** That the reader may give. */
  roles: readonly Role[];
  isOnlyOwner: boolean;
}

function MemberTable(props: MemberTableProps) {
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
