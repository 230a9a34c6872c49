import type { Metadata } from 'next';
import { Time } from '@/app/_components/status/time';
import { Button } from '@/app/_components/ui/button';
import { ButtonLink } from '@/app/_components/ui/button-link';
import { Card } from '@/app/_components/ui/card';
import { EmptyState } from '@/app/_components/ui/empty-state';
import { Link, TextLink } from '@/app/_components/ui/link';
import { Wordmark } from '@/app/(auth)/_components/wordmark';
import { signOut } from '@/app/(auth)/actions';
import { countOwnTokens } from '@/lib/identity/api-tokens/service';
import { listAuthSessions } from '@/lib/identity/auth/auth-sessions';
import { getSignInMethods } from '@/lib/identity/auth/change-account';
import { requireUser } from '@/lib/identity/auth/current-user';
import type { AuthSessionDto, SignedInUser } from '@/lib/identity/auth/schema';
import { getFactors } from '@/lib/identity/factors/manage-factors';
import { listMine } from '@/lib/identity/organizations/service';
import { isReachable, scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import type { Role } from '@/lib/platform/db/roles';
import { formatCounted } from '@/lib/platform/format/count';
import { NameForm, PasswordForm } from './_components/account-forms';
import { browserName } from './_components/browser-name';
import { EndSignIn, SignOutEverywhere } from './_components/end-sign-in';

export const metadata: Metadata = { title: 'Your profile' };

export default async function ProfilePage() {
  const user = await requireUser();
  const [signIns, memberships, methods, factors] = await Promise.all([
    listAuthSessions(user),
    listOwnMemberships(user),
    getSignInMethods(user),
    getFactors(user.id),
  ]);
  const factorCount = factors.passkeys.length + (factors.totp ? 1 : 0);
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
              <span className="wrap-anywhere">{user.email}</span>
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
        <Card
          title="Second factor"
          actions={
            <ButtonLink size="sm" href="/me/second-factor">
              {factorCount === 0 ? 'Set up a second factor' : 'Change second factors'}
            </ButtonLink>
          }
        >
          <p className="text-text-2">
            {factorCount === 0
              ? 'None: a password or a provider alone signs you in.'
              : `You have ${formatCounted(factorCount, 'second factor')} and ${formatCounted(factors.recoveryCodesLeft, 'recovery code')}.`}
          </p>
        </Card>
        <Card title="Organizations" note={memberships.length} isFlush>
          {memberships.length > 0 ? (
            <MembershipList memberships={memberships} />
          ) : (
            <EmptyState
              title="No organizations."
              actions={<ButtonLink href="/orgs">Create an organization</ButtonLink>}
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
    memberships.map(async (membership) => {
      const { slug, name, role } = membership;
      const isOpen = isReachable(membership, user);
      const tokenCount = isOpen ? await countOwnTokens(await scopeOfMember(user, slug)) : null;
      return { slug, name, role, tokenCount, isOpen };
    }),
  );
}

interface OwnMembership {
  slug: string;
  name: string;
  role: Role;
  /** Valid API tokens that the person made there; null where the role has none, or it isn't open. */
  tokenCount: number | null;
  /** False when it requires a second factor that this sign-in doesn't have. */
  isOpen: boolean;
}

/** Where the person belongs, and the tokens that act there because of them. */
function MembershipList({ memberships }: { memberships: readonly OwnMembership[] }) {
  return (
    <ul aria-label="Organizations">
      {memberships.map(({ slug, name, role, tokenCount, isOpen }) => (
        <li
          key={slug}
          className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2 first:border-t-0"
        >
          <Link href={`/${slug}`} className="link min-w-0 break-words font-medium">
            {name}
          </Link>
          <span className="text-text-2 text-ui">{role}</span>
          <span className="ml-auto text-ui">
            {isOpen ? null : <span className="text-wait-fg">Needs a second factor</span>}
            {!isOpen ? null : tokenCount === null ? (
              <span className="text-text-3">API tokens need the admin role</span>
            ) : (
              <TextLink href={`/${slug}/settings/tokens`}>{tokenWords(tokenCount)}</TextLink>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function tokenWords(count: number): string {
  if (count === 0) return 'You have no API tokens';
  return count === 1 ? 'You have 1 API token' : `You have ${count} API tokens`;
}

/** The browsers that are signed in. This one is ended by "Sign out", the others here. */
function SignInList({ signIns }: { signIns: readonly AuthSessionDto[] }) {
  return (
    <ul aria-label="Sign-ins">
      {signIns.map((signIn) => (
        <li
          key={signIn.id}
          className="flex min-h-14 items-center gap-3 border-line border-t px-4 py-2 first:border-t-0"
        >
          <span className="flex min-w-0 flex-1 flex-col">
            <span className="font-medium" title={signIn.userAgent || undefined}>
              {browserName(signIn.userAgent)}
            </span>
            <span className="text-text-2 text-ui">
              {signIn.isThisOne ? (
                'This browser'
              ) : (
                <>
                  Last seen <Time at={signIn.lastSeenAt} isPlain />
                </>
              )}
              , signed in <Time at={signIn.createdAt} form="day" isPlain />
            </span>
          </span>
          {signIn.isThisOne ? null : (
            <EndSignIn authSessionId={signIn.id} browser={browserName(signIn.userAgent)} />
          )}
        </li>
      ))}
    </ul>
  );
}
