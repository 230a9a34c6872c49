import { Time } from '@/app/_components/status/time';
import { ButtonLink } from '@/app/_components/ui/button-link';
import type { ProviderButton } from '@/lib/identity/auth/providers';
import type { NextStep } from '@/lib/identity/invitations/state';
import type { Role } from '@/lib/platform/db/roles';
import { JoinButton, NewAccountForm, SwitchAccountButton } from './invitation-forms';
import { ProviderButtons } from './provider-buttons';

interface InvitationStepsProps {
  token: string;
  step: Exclude<NextStep, 'expired' | 'accepted' | 'revoked'>;
  organizationName: string;
  invitedBy: string;
  role: Role;
  email: string;
  signedInAs: string | null;
  providers: readonly ProviderButton[];
}

/** Who invites whom as what, and the one thing to do next. */
export function InvitationSteps(props: InvitationStepsProps) {
  const { token, step, organizationName, invitedBy, role, email, signedInAs, providers } = props;
  const here = `/invite/${token}`;
  const act = `Join ${organizationName} as ${role}`;
  return (
    <>
      <h1 className="break-words text-page">Join {organizationName}</h1>
      <p className="text-text-2">
        {invitedBy} invites <span className="wrap-anywhere font-medium text-text">{email}</span> as{' '}
        {/^[aeo]/.test(role) ? 'an' : 'a'} {role}. {WHAT_IT_MAY[role]}
      </p>
      {step === 'join' ? <JoinButton token={token} label={act} /> : null}
      {step === 'switch_account' ? (
        <>
          <p className="border-wait-mark border-l-2 pl-3">
            You are signed in as <span className="wrap-anywhere font-medium">{signedInAs}</span>,
            and this invitation is for another address.
          </p>
          <SwitchAccountButton token={token} label={`Sign out and continue as ${email}`} />
          <p className="text-text-2 text-ui">Or ask {invitedBy} to invite the address you use.</p>
        </>
      ) : null}
      {step === 'sign_in' ? (
        <>
          <p className="text-text-2">This address has an account. Sign in with it to join.</p>
          <ButtonLink
            look="primary"
            className="self-start"
            href={{ pathname: '/sign-in', query: { next: here } }}
          >
            Sign in to join
          </ButtonLink>
        </>
      ) : null}
      {step === 'sign_up' ? (
        <>
          <NewAccountForm token={token} email={email} label={act} />
          <ProviderButtons providers={providers} next={here} />
        </>
      ) : null}
    </>
  );
}

const WHAT_IT_MAY: Record<Role, string> = {
  viewer: 'You get read-only access to everything.',
  operator: 'You can view everything, and run, stop and acknowledge chains.',
  admin: 'You can also change settings, runners, webhooks, tokens and members.',
  owner: 'You can do everything, including deleting the organization.',
};

interface InvitationOverProps {
  state: 'expired' | 'accepted' | 'revoked';
  organizationName: string;
  invitedBy: string;
  expiresAt: string;
  /** Where a reader who is already a member continues. */
  openHref: string | null;
}

/** Explains why an invitation no longer works and whom to ask. */
export function InvitationOver(props: InvitationOverProps) {
  const { state, organizationName, invitedBy, expiresAt, openHref } = props;
  if (openHref) {
    return (
      <>
        <h1 className="text-page">You belong to {organizationName} already</h1>
        <p className="text-text-2">You don’t need this invitation.</p>
        <ButtonLink look="primary" className="self-start" href={openHref}>
          Open {organizationName}
        </ButtonLink>
      </>
    );
  }
  const titles = {
    expired: 'This invitation has expired',
    accepted: 'This invitation was used',
    revoked: 'This invitation was revoked',
  };
  return (
    <>
      <h1 className="text-page">{titles[state]}</h1>
      <p className="text-text-2">
        {state === 'expired' ? (
          <>
            It was for {organizationName} and ended <Time at={expiresAt} form="day" isPlain />. Ask{' '}
            {invitedBy} for a new one.
          </>
        ) : state === 'accepted' ? (
          <>
            A link works once. If you used it, sign in to open {organizationName}. Otherwise ask{' '}
            {invitedBy}.
          </>
        ) : (
          <>
            It was for {organizationName}. Ask {invitedBy} if you still need one.
          </>
        )}
      </p>
      {state === 'accepted' ? (
        <ButtonLink look="primary" className="self-start" href="/sign-in">
          Sign in
        </ButtonLink>
      ) : null}
    </>
  );
}

export function LinkUnknown() {
  return (
    <>
      <h1 className="text-page">This link doesn’t work</h1>
      <p className="text-text-2">
        It was replaced by a newer link, or part of it is missing. Open the most recent link you
        received, or ask the person who invited you for a new one.
      </p>
    </>
  );
}
