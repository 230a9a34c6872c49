import Link from 'next/link';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';

interface InvitationOverProps {
  state: 'expired' | 'accepted' | 'revoked';
  organizationName: string;
  invitedBy: string;
  expiresAt: string;
  /** Where the reader, a member already, goes on. */
  openHref: string | null;
}

/** An invitation that leads nowhere any more: why, and whom to ask. */
export function InvitationOver(props: InvitationOverProps) {
  const { state, organizationName, invitedBy, expiresAt, openHref } = props;
  if (openHref) {
    return (
      <>
        <h1 className="text-page">You belong to {organizationName} already</h1>
        <p className="text-text-2">This invitation is not needed any more.</p>
        <Button asChild look="primary" className="self-start">
          <Link href={openHref}>Open {organizationName}</Link>
        </Button>
      </>
    );
  }
  const titles = {
    expired: 'This invitation has ended',
    accepted: 'This invitation was used',
    revoked: 'This invitation was withdrawn',
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
            A link works once. If it was you who used it, sign in to open {organizationName}.
            Otherwise ask {invitedBy}.
          </>
        ) : (
          <>
            It was for {organizationName}. Ask {invitedBy} if you should have another one.
          </>
        )}
      </p>
      {state === 'accepted' ? (
        <Button asChild look="primary" className="self-start">
          <Link href="/sign-in">Sign in</Link>
        </Button>
      ) : null}
    </>
  );
}

export function LinkUnknown() {
  return (
    <>
      <h1 className="text-page">This link doesn’t work</h1>
      <p className="text-text-2">
        It was replaced by a newer one, or a part of it is missing. Open the newest link that you
        got, or ask whoever invited you for another one.
      </p>
    </>
  );
}
