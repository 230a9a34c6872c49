import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { TextLink } from '@/app/_components/ui/link';
import { CodeForm, PasskeyButton } from '@/app/(auth)/_components/second-step-forms';
import { readStepCookie } from '@/lib/identity/auth/browser-session';
import { currentUser } from '@/lib/identity/auth/current-user';
import { safeNext } from '@/lib/identity/auth/safe-next';
import { readSecondStep } from '@/lib/identity/auth/second-step';

export const metadata: Metadata = { title: 'Second step' };

interface SecondStepPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SecondStepPage({ searchParams }: SecondStepPageProps) {
  const { next: wanted } = await searchParams;
  const next = typeof wanted === 'string' ? safeNext(wanted, '') : '';
  if (await currentUser()) redirect(next || '/');
  const step = await readSecondStep(await readStepCookie());
  const signInHref = { pathname: '/sign-in', query: next ? { next } : {} };
  if (!step) {
    return (
      <>
        <h1 className="text-page">This sign-in has expired</h1>
        <p className="text-text-2">
          The second step has to follow within 5 minutes, in the same browser.
        </p>
        <p>
          <TextLink href={signInHref}>Sign in again</TextLink>
        </p>
      </>
    );
  }
  const { hasApp, hasPasskey, hasRecoveryCodes } = step;
  return (
    <>
      <div className="flex flex-col gap-1.5">
        <h1 className="text-page">Second step</h1>
        <p className="text-text-2">Your account has a second factor. Confirm with it to sign in.</p>
      </div>
      {hasPasskey ? <PasskeyButton next={next} label="Use a passkey" /> : null}
      {hasApp || hasRecoveryCodes ? <CodeForm next={next} hint={hintOf(hasApp)} /> : null}
      <p className="text-text-2 text-ui">
        Lost your device? Enter one of your recovery codes. Without them, ask whoever operates this
        installation.
      </p>
      <p className="text-text-2 text-ui">
        Not you? <TextLink href={signInHref}>Sign in as someone else</TextLink>
      </p>
    </>
  );
}

function hintOf(hasApp: boolean): string {
  return hasApp
    ? 'The 6 digits your authenticator app shows, or a recovery code.'
    : 'One of your recovery codes.';
}
