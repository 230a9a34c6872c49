import type { Metadata } from 'next';
import { Button } from '@/app/_components/ui/button';
import { Link } from '@/app/_components/ui/link';
import { readReset } from '@/lib/identity/auth/password-resets';
import { NewPasswordForm } from './_components/new-password-form';

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
        <h1 className="text-page">This link is over</h1>
        <p className="text-text-2">It works once, within an hour. Nothing was changed.</p>
        <Button asChild look="primary" className="self-start">
          <Link href="/reset">Ask for a new link</Link>
        </Button>
      </>
    );
  }
  return (
    <>
      <h1 className="text-page">Set a new password</h1>
      <p className="text-text-2">Every browser in which you are signed in is signed out.</p>
      <NewPasswordForm token={token} email={reset.email} />
    </>
  );
}
