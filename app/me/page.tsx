import type { Metadata } from 'next';
import Link from 'next/link';
import { countOwnTokens } from '@/lib/identity/api-tokens/service';
import { listAuthSessions } from '@/lib/identity/auth/auth-sessions';
import { getSignInMethods } from '@/lib/identity/auth/change-account';
import { requireUser } from '@/lib/identity/auth/current-user';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { listMine } from '@/lib/identity/organizations/service';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { Button } from '../_components/ui/button';
import { Card } from '../_components/ui/card';
import { EmptyState } from '../_components/ui/empty-state';
import { Wordmark } from '../(auth)/_components/wordmark';
import { signOut } from '../(auth)/actions';
import { MembershipList, type OwnMembership } from './_components/membership-list';
import { NameForm } from './_components/name-form';
import { PasswordForm } from './_components/password-form';
import { SignInList } from './_components/sign-in-list';
import { SignOutEverywhere } from './_components/sign-out-everywhere';

export const metadata: Metadata = { title: 'Your profile' };

export default async function ProfilePage() {
  const user = await requireUser();
  const [signIns, memberships, methods] = await Promise.all([
    listAuthSessions(user),
    listOwnMemberships(user),
    getSignInMethods(user),
  ]);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-160 flex-col gap-8 px-4 pt-8 pb-12">
      <header className="flex items-center justify-between gap-4">
        <Link href="/orgs" aria-label="Tierwatch, your organizations">
          <Wordmark />
        </Link>
        <form action={signOut}>
          <Button type="submit" size="sm">
            Sign out
          </Button>
        </form>
      </header>
      <main className="flex flex-col gap-6">
        <div className="flex flex-col gap-1.5">
          <h1 className="text-page">Your profile</h1>
          <p>
            {signIns.length === 1
              ? 'No other browser is signed in as you.'
              : `${signIns.length} browsers are signed in as you.`}
          </p>
        </div>
        <Card title="You">
          <div className="flex flex-col gap-4">
            <NameForm name={user.name} />
            <p className="text-ui">
              <span className="text-text-3">E-mail </span>
              <span className="break-all">{user.email}</span>
            </p>
          </div>
        </Card>
        <Card title="Password">
          {methods.hasPassword ? (
            <PasswordForm email={user.email} others={signIns.length - 1} />
          ) : (
            <p className="text-text-2">
              Your account has no password: you sign in with{' '}
              {methods.providers.join(' or ') || 'a provider'}.
            </p>
          )}
        </Card>
        <Card title="Organizations" note={memberships.length} isFlush>
          {memberships.length > 0 ? (
            <MembershipList memberships={memberships} />
          ) : (
            <EmptyState
              title="No organizations."
              actions={
                <Button asChild>
                  <Link href="/orgs">Create an organization</Link>
                </Button>
              }
            >
              Create one, or ask for an invitation to your team’s.
            </EmptyState>
          )}
        </Card>
        <Card
          title="Sign-ins"
          note={signIns.length}
          actions={<SignOutEverywhere count={signIns.length} />}
          isFlush
        >
          <SignInList signIns={signIns} />
        </Card>
      </main>
    </div>
  );
}

async function listOwnMemberships(user: SignedInUser): Promise<OwnMembership[]> {
  const memberships = await listMine(user.id);
  return Promise.all(
    memberships.map(async ({ slug, name, role }) => ({
      slug,
      name,
      role,
      tokenCount: await countOwnTokens(await scopeOfMember(user, slug)),
    })),
  );
}
