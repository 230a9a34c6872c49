import type { Metadata } from 'next';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { NewPasswordForm } from '@/app/(auth)/_components/reset-forms';
import { readReset } from '@/lib/identity/auth/password-resets';

export const metadata: Metadata = { title: 'Set a new password', referrer: 'no-referrer' };

interface ResetLinkPageProps {
  params: Promise<{ token: string }>;
}

export default async function ResetLinkPage({ params }: ResetLinkPageProps) {
  const { token } = await params;
  const reset = await readReset(token);
  if (!reset) {
    return (
      <>
        <h1 className="text-page">This link no longer works</h1>
        <p className="text-text-2">
          A reset link works once and expires after an hour. Your password was not changed.
        </p>
        <ButtonLink look="primary" className="self-start" href="/reset">
          Request a new link
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <h1 className="text-page">Set a new password</h1>
      <p className="text-text-2">This signs you out of every browser.</p>
      <NewPasswordForm token={token} email={reset.email} />
    </>
  );
}
