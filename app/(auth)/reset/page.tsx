import type { Metadata } from 'next';
import { TextLink } from '@/app/_components/ui/link';
import { isMailConfigured } from '@/lib/platform/mail';
import { RequestResetForm } from '../_components/reset-forms';

export const metadata: Metadata = { title: 'Set a new password' };

export default function ResetPage() {
  return (
    <>
      <h1 className="text-page">Set a new password</h1>
      {isMailConfigured() ? (
        <RequestResetForm />
      ) : (
        <p className="text-text-2">
          This installation doesn’t send e-mail. Ask your administrator to run{' '}
          <code className="text-code">npm run tierwatch -- user reset-link</code> with your address.
        </p>
      )}
      <p className="text-text-2 text-ui">
        Remembered it? <TextLink href="/sign-in">Sign in</TextLink>
      </p>
    </>
  );
}
