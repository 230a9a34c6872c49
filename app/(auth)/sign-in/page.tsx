import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { TextLink } from '@/app/_components/ui/link';
import { currentUser } from '@/lib/identity/auth/current-user';
import { configuredProviders } from '@/lib/identity/auth/providers';
import { safeNext } from '@/lib/identity/auth/safe-next';
import { isSignUpOpen } from '@/lib/identity/auth/sign-up';
import { env } from '@/lib/platform/env';
import { SignInForm } from '../_components/account-forms';
import { ProviderButtons } from '../_components/provider-buttons';
import { PasskeyButton } from '../_components/second-step-forms';

export const metadata: Metadata = { title: 'Sign in' };

interface SignInPageProps {
  searchParams: Promise<{
    next?: string | string[];
    error?: string | string[];
    notice?: string | string[];
  }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next: wanted, error, notice } = await searchParams;
  const next = typeof wanted === 'string' ? safeNext(wanted, '') : '';
  if (await currentUser()) redirect(next || '/');
  const providerError = providerErrorText(typeof error === 'string' ? error : undefined);
  return (
    <>
      <h1 className="text-page">Sign in</h1>
      {providerError ? <ErrorSummary errors={[{ fieldId: null, message: providerError }]} /> : null}
      {notice === 'password_set' ? (
        <p role="status" className="text-text-2">
          Your password was changed and you were signed out everywhere. Sign in with the new
          password.
        </p>
      ) : null}
      <SignInForm next={next} />
      <PasskeyButton next={next} isAlone label="Continue with a passkey" />
      <ProviderButtons providers={configuredProviders()} next={next} />
      <p className="text-text-2 text-ui">
        Forgot your password? <TextLink href="/reset">Set a new one</TextLink>
      </p>
      {isSignUpOpen(env()) ? (
        <p className="text-text-2 text-ui">
          No account yet?{' '}
          <TextLink href={{ pathname: '/sign-up', query: next ? { next } : {} }}>
            Create one
          </TextLink>
        </p>
      ) : null}
    </>
  );
}

const TEXTS: Record<string, string> = {
  email_not_verified:
    'The provider has not verified your e-mail address. Verify it there, then sign in again.',
  sign_up_closed: 'Sign-up is closed on this installation. Ask an admin for an invitation.',
  CredentialsSignin: 'E-mail or password is wrong.',
  AccessDenied: 'The provider refused the sign-in. Try again, or use your password.',
};

const OTHER = 'The sign-in with the provider did not finish. Try again, or use your password.';

/** What to say for `?error=`, which next-auth or our own callbacks set; null without one. */
function providerErrorText(code: string | undefined): string | null {
  if (!code) return null;
  return TEXTS[code] ?? OTHER;
}
