import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { TextLink } from '@/app/_components/ui/link';
import { currentUser } from '@/lib/identity/auth/current-user';
import { safeNext } from '@/lib/identity/auth/safe-next';
import { isSignUpOpen } from '@/lib/identity/auth/sign-up';
import { env } from '@/lib/platform/env';
import { SignUpForm } from '../_components/account-forms';

export const metadata: Metadata = { title: 'Create your account' };

interface SignUpPageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function SignUpPage({ searchParams }: SignUpPageProps) {
  const { next: wanted } = await searchParams;
  const next = typeof wanted === 'string' ? safeNext(wanted, '') : '';
  if (await currentUser()) redirect(next || '/');
  const isOpen = isSignUpOpen(env());
  return (
    <>
      <h1 className="text-page">{isOpen ? 'Create your account' : 'Sign-up is closed'}</h1>
      {isOpen ? (
        <SignUpForm next={next} />
      ) : (
        <p className="text-text-2">
          New accounts on this installation need an invitation. Ask an admin of your organization
          for one.
        </p>
      )}
      <p className="text-text-2 text-ui">
        {isOpen ? 'Already have an account? ' : 'Already have one? '}
        <TextLink href={{ pathname: '/sign-in', query: next ? { next } : {} }}>Sign in</TextLink>
      </p>
    </>
  );
}
