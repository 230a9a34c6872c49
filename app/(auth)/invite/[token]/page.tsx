import type { Metadata } from 'next';
import {
  InvitationOver,
  InvitationSteps,
  LinkUnknown,
} from '@/app/(auth)/_components/invitation-steps';
import { currentUser } from '@/lib/identity/auth/current-user';
import { configuredProviders } from '@/lib/identity/auth/providers';
import { openInvitation } from '@/lib/identity/invitations/accept-invitation';
import { listMine } from '@/lib/identity/organizations/service';

export const metadata: Metadata = { title: 'Invitation', referrer: 'no-referrer' };

interface InvitationPageProps {
  params: Promise<{ token: string }>;
}

/** Looking changes nothing: mail programs open links before people do. */
export default async function InvitationPage({ params }: InvitationPageProps) {
  const { token } = await params;
  const user = await currentUser();
  const invitation = await openInvitation(token, user);
  if (!invitation) return <LinkUnknown />;
  const { step, organizationSlug, organizationName, invitedBy, expiresAt } = invitation;
  if (step === 'expired' || step === 'accepted' || step === 'revoked') {
    const memberships = user ? await listMine(user.id) : [];
    const isMember = memberships.some(({ slug }) => slug === organizationSlug);
    return (
      <InvitationOver
        state={step}
        organizationName={organizationName}
        invitedBy={invitedBy}
        expiresAt={expiresAt.toISOString()}
        openHref={isMember ? `/${organizationSlug}` : null}
      />
    );
  }
  return (
    <InvitationSteps
      token={token}
      step={step}
      organizationName={organizationName}
      invitedBy={invitedBy}
      role={invitation.role}
      email={invitation.email}
      signedInAs={user?.email ?? null}
      providers={configuredProviders()}
    />
  );
}
