import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { ErrorSummary } from '@/app/_components/ui/error-summary';
import { currentUser } from '@/lib/auth/current-user';
import { configuredProviders } from '@/lib/auth/providers';
import { safeNext } from '@/lib/auth/safe-next';
import { isSignUpOpen } from '@/lib/auth/sign-up-policy';
import { env } from '@/lib/env';
import { ProviderButtons } from '../_components/provider-buttons';
import { providerErrorText } from '../_components/provider-errors';
import { SignInForm } from '../_components/sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

interface SignInPageProps {
  searchParams: Promise<{ next?: string | string[]; error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next: wanted, error } = await searchParams;
  const next = typeof wanted === 'string' ? safeNext(wanted, '') : '';
  if (await currentUser()) redirect(next || '/');
  const providerError = providerErrorText(typeof error === 'string' ? error : undefined);
  return (
    <>
      <h1 className="text-page">Sign in</h1>
      {providerError ? <ErrorSummary errors={[{ fieldId: null, message: providerError }]} /> : null}
      <SignInForm next={next} />
      <ProviderButtons providers={configuredProviders()} next={next} />
      {isSignUpOpen(env()) ? (
        <p className="text-text-2 text-ui">
          No account yet?{' '}
          <Link href={{ pathname: '/sign-up', query: next ? { next } : {} }} className="link">
            Create one
          </Link>
        </p>
      ) : null}
    </>
  );
}
