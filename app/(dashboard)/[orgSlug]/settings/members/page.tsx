import type { Metadata } from 'next';
import { Fragment } from 'react';
import { PageBody, PageHeader } from '@/app/_components/shell/page-header';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Pagination } from '@/app/_components/ui/pagination';
import type { PageProps } from '@/app/page-props';
import { requireMember } from '@/lib/identity/auth/current-user';
import { listInvitations } from '@/lib/identity/invitations/manage-invitations';
import { grantableRoles } from '@/lib/identity/members/decide';
import { listMembers } from '@/lib/identity/members/list-members';
import { mayDo } from '@/lib/identity/tenancy/role-matrix';
import { ROLES, type Role } from '@/lib/platform/db/roles';
import { NeedsRole } from '../../_components/needs-role';
import { refusalOf } from '../../_components/permission';
import { InvitationTable } from './_components/invitation-table';
import { InviteMember } from './_components/invite-member';
import { MemberTable } from './_components/member-table';
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
            <Card isFlush>
              <EmptyState title="No open invitations.">
                Invited people get a link that works once and expires after 7 days.
              </EmptyState>
            </Card>
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
